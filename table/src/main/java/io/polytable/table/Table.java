package io.polytable.table;

/**
 * A handle on a table of a store. It stays the same object while the table lives, also when it is altered; after a
 * drop every use of it fails with {@link StoreError#NO_SUCH_TABLE}.
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
