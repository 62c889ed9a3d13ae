package io.polytable.store.memory.flat;

import java.util.Arrays;

/**
 * The tables that memory has every row of: there, a key that memory does not know has no row, and the state need not be
 * asked. So it is with a table that was empty when it was opened or that was read as a whole, until the first of its rows
 * has to leave. Changed under the append mutex, read by anyone.
 */
public final class WholeTables {
    private volatile boolean[] whole = new boolean[0];

    public boolean has(int table) {
        return isIn(whole, table);
    }

    private static boolean isIn(boolean[] tables, int table) {
        return table < tables.length && tables[table];
    }

    /** Which are whole now: an array that nobody changes, another one after each change. */
    public boolean[] now() {
        return whole;
    }

    /** Whether the table was whole then and has been ever since. */
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

    /** To be called before the index forgets the row: who does not find it must see this. */
    public void loses(int table) {
        if (has(table)) {
            boolean[] next = whole.clone();
            next[table] = false;
            whole = next;
        }
    }
}
