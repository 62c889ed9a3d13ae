package io.polytable.store.memory;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The range deletes that rows in memory, or rows of the state beneath them, are hidden by: each table's tombstones. Changed
 * under the append mutex, read by anyone.
 */
final class RangeDeletes {
    private volatile RangeTombstones[] byTable = new RangeTombstones[0];
    private long bytes;

    RangeTombstones of(int table) {
        return of(byTable, table);
    }

    static RangeTombstones of(RangeTombstones[] all, int table) {
        return table < all.length ? all[table] : RangeTombstones.NONE;
    }

    /** Those of all tables, by id; nobody changes the array. */
    RangeTombstones[] now() {
        return byTable;
    }

    void add(RangeTombstone tombstone) {
        int table = tombstone.table();
        RangeTombstones[] next = Arrays.copyOf(byTable, Math.max(byTable.length, table + 1));
        for (int i = byTable.length; i < next.length; i++) {
            next[i] = RangeTombstones.NONE;
        }
        next[table] = next[table].plus(tombstone);
        byTable = next;
        // As if none covered another: those that do are few, and counted right when the next generation is applied.
        bytes += tombstone.bytes();
    }

    /** @param gone with a tombstone also all older ones */
    void remove(Predicate<RangeTombstone> gone) {
        RangeTombstones[] next = byTable.clone();
        long left = 0;
        for (int i = 0; i < next.length; i++) {
            next[i] = next[i].without(gone);
            left += next[i].bytes();
        }
        byTable = next;
        bytes = left;
    }

    /** About what they take of memory. */
    long bytes() {
        return bytes;
    }
}
