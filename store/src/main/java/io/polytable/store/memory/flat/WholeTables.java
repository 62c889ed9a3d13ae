package io.polytable.store.memory.flat;

import java.util.Arrays;

/**
 * The tables that are whole in memory, that is fully cached: a key missing from memory has no row, so a lookup skips
 * the state. A table is whole if it was empty when opened, or once it was read completely, until the first of its rows
 * is evicted. Changed under the append mutex, read without a lock.
 */
public final class WholeTables {
    private volatile boolean[] whole = new boolean[0];

    public boolean has(int table) {
        return isIn(whole, table);
    }

    private static boolean isIn(boolean[] tables, int table) {
        return table < tables.length && tables[table];
    }

    /** The present flags: an immutable array, replaced by every change. */
    public boolean[] now() {
        return whole;
    }

    /** Whether the table was whole then, and no table's flag has changed since. */
    public boolean hasSince(boolean[] then, int table) {
        return isIn(then, table) && whole == then;
    }

    public int count() {
        int count = 0;
        for (boolean one : whole) {
            count += one ? 1 : 0;
        }
        return count;
    }

    public void add(int table) {
        boolean[] next = Arrays.copyOf(whole, Math.max(whole.length, table + 1));
        next[table] = true;
        whole = next;
    }

    /** Call before the index forgets the row: a reader that misses the row must see this change. */
    public void loses(int table) {
        if (has(table)) {
            boolean[] next = whole.clone();
            next[table] = false;
            whole = next;
        }
    }
}
