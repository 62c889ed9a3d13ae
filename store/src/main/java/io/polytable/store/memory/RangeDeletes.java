package io.polytable.store.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * All tables' range tombstones, as long as they may hide older rows in memory or in the state. Changed under the append
 * mutex, read without a lock.
 */
final class RangeDeletes {
    private volatile ByTable all = ByTable.NONE;
    private long bytes;

    /**
     * An immutable map of the tables that have tombstones. Not an array indexed by table id: ids are never reused, and
     * a store that creates and drops tables for years must not pay for all of them with every range delete.
     *
     * @param ids of the tables, ascending
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ByTable(int[] ids, RangeTombstones[] tombstones) {
        static final ByTable NONE = new ByTable(new int[0], new RangeTombstones[0]);

        RangeTombstones of(int table) {
            if (ids.length == 0) {
                return RangeTombstones.NONE;
            }
            int at = Arrays.binarySearch(ids, table);
            return at < 0 ? RangeTombstones.NONE : tombstones[at];
        }

        private ByTable plus(RangeTombstone tombstone) {
            int at = Arrays.binarySearch(ids, tombstone.table());
            if (at >= 0) {
                RangeTombstones[] next = tombstones.clone();
                next[at] = next[at].plus(tombstone);
                return new ByTable(ids, next);
            }
            int place = -at - 1;
            int[] nextIds = Arrays.copyOf(ids, ids.length + 1);
            RangeTombstones[] next = Arrays.copyOf(tombstones, ids.length + 1);
            System.arraycopy(ids, place, nextIds, place + 1, ids.length - place);
            System.arraycopy(tombstones, place, next, place + 1, ids.length - place);
            nextIds[place] = tombstone.table();
            next[place] = RangeTombstones.NONE.plus(tombstone);
            return new ByTable(nextIds, next);
        }

        private ByTable without(Predicate<RangeTombstone> gone) {
            List<Integer> keptIds = new ArrayList<>();
            List<RangeTombstones> kept = new ArrayList<>();
            for (int i = 0; i < ids.length; i++) {
                RangeTombstones rest = tombstones[i].without(gone);
                if (!rest.isEmpty()) {
                    keptIds.add(ids[i]);
                    kept.add(rest);
                }
            }
            return new ByTable(
                    keptIds.stream().mapToInt(Integer::intValue).toArray(), kept.toArray(RangeTombstones[]::new));
        }

        private long bytes() {
            return Arrays.stream(tombstones).mapToLong(RangeTombstones::bytes).sum();
        }
    }

    RangeTombstones of(int table) {
        return all.of(table);
    }

    ByTable now() {
        return all;
    }

    void add(RangeTombstone tombstone) {
        all = all.plus(tombstone);
        // Counts each in full. Few tombstones cover one another, and the next applied generation recounts.
        bytes += tombstone.bytes();
    }

    /** @param gone if it holds for a tombstone, it must hold for all older ones */
    void remove(Predicate<RangeTombstone> gone) {
        ByTable rest = all.without(gone);
        all = rest;
        bytes = rest.bytes();
    }

    /** Approximate memory. */
    long bytes() {
        return bytes;
    }
}
