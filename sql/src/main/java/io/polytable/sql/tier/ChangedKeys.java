package io.polytable.sql.tier;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/** Keys of a table that were written since a flush took its snapshot, as long as they are not too many. */
final class ChangedKeys {
    static final int KEYS_MAX = 10_000;

    private final NavigableSet<Bytes> keys = new ConcurrentSkipListSet<>();

    /** A long: one that began anew below zero would take the keys that were let go of for unchanged. */
    private final AtomicLong count = new AtomicLong();

    void add(List<Bytes> more) {
        if (count.addAndGet(more.size()) <= KEYS_MAX) {
            keys.addAll(more);
        } else {
            keys.clear();
        }
    }

    /** Those of the range, which has an end; empty when there were too many to remember. */
    Optional<SortedSet<Bytes>> within(KeyRange range) {
        return count.get() > KEYS_MAX ? Optional.empty() : Optional.of(keys.subSet(range.from(), range.to()));
    }
}
