package io.polytable.table;

/** What a store can do beyond the least. The contract kit asks for exactly these. */
public enum Capability {
    /** A batch over any rows of any tables is atomic. */
    ATOMIC_ACROSS_TABLES,
    /** Reads as of one moment over all tables. */
    SNAPSHOT,
    REVERSE_SCAN,
    RANGE_DELETE,
    CHANGE_FEED,
    /** Rows are there again after close and open. */
    PERSISTENT
}
