package io.polytable.sql.tier;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/** The keys of a table committed since a flush took its snapshot, up to {@link #KEYS_MAX} of them. */
final class ChangedKeys {
    static final int KEYS_MAX = 10_000;

    private final NavigableSet<Bytes> keys = new ConcurrentSkipListSet<>();

    /** A long, since a counter that wrapped below zero would report the discarded keys as unchanged. */
    private final AtomicLong count = new AtomicLong();

    void add(List<Bytes> more) {
        if (count.addAndGet(more.size()) <= KEYS_MAX) {
            keys.addAll(more);
        } else {
            keys.clear();
        }
    }

    /** The changed keys in the range, which has an end; empty when there were too many to track. */
    Optional<SortedSet<Bytes>> within(KeyRange range) {
        return count.get() > KEYS_MAX ? Optional.empty() : Optional.of(keys.subSet(range.from(), range.to()));
    }
}
