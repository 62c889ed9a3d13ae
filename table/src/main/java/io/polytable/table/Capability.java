package io.polytable.table;

/** An optional feature of a store. The contract tests require exactly the declared ones. */
public enum Capability {
    /** A batch over any rows of any tables is atomic. */
    ATOMIC_ACROSS_TABLES,
    /** Consistent reads over all tables. */
    SNAPSHOT,
    REVERSE_SCAN,
    RANGE_DELETE,
    CHANGE_FEED,
    /** Rows survive close and reopen. */
    PERSISTENT
}
