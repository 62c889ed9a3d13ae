package io.polytable.sql.tier;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/** Keys of a table that were written since a flush took its snapshot, as long as they are not too many. */
final class ChangedKeys {
    static final int KEYS_MAX = 10_000;

    private final NavigableSet<Bytes> keys = new ConcurrentSkipListSet<>();
    private final AtomicInteger count = new AtomicInteger();

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
