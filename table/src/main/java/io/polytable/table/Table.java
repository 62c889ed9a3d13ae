package io.polytable.table;

/**
 * A handle on a table of a store. It stays the same object as long as the table exists, also when the table is altered.
 * After a drop every call fails with {@link StoreError#NO_SUCH_TABLE}.
 */
public interface Table {
    /** Never reused within a store, also not after a drop. */
    int id();

    TableSpec spec();

    /** How its rows expire. */
    default Expiry expiry() {
        return spec().expiry();
    }

    default TableName name() {
        return spec().name();
    }
}
