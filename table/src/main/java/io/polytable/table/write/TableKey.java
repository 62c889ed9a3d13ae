package io.polytable.table.write;

import io.polytable.table.Bytes;

/** A key of some table, in the order of tables and then of keys. */
record TableKey(int table, Bytes key) implements Comparable<TableKey> {
    /** The exclusive end of a range of the table; an empty upper key means the table's end. */
    static TableKey end(int table, Bytes to) {
        return to.isEmpty() ? new TableKey(table + 1, Bytes.EMPTY) : new TableKey(table, to);
    }

    @Override
    public int compareTo(TableKey other) {
        return table != other.table ? Integer.compare(table, other.table) : key.compareTo(other.key);
    }
}
