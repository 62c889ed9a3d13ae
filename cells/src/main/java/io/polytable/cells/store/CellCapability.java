package io.polytable.cells.store;

import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.RowWrite;

/** A feature of a cell store beyond puts, deletes of rows and columns, gets and scans. */
public enum CellCapability {
    /** Scans return rows in row key order, and ranges are ranges of that order. */
    ORDERED_ROWS,
    REVERSE_SCAN,
    /** A scan or {@link CellSnapshot} sees the table as of one moment. Otherwise only each row is consistent. */
    SNAPSHOT_READS,
    /** All edits of a {@link RowWrite} are applied together or not at all, and conditions are checked with them. */
    ATOMIC_ROWS,
    CONDITIONS,
    INCREMENT,
    APPEND,
    /** A write with a {@link Nonce} is applied once, however often it is sent. */
    NONCES,
    /** {@link CellFilter}s, and conditions made of them, run inside the store. */
    FILTERS,
    /** Cells can have a time to live of their own. */
    CELL_TTL,
    /** Deletes mask by HBase's rules, and raw reads show their markers. */
    DELETE_MARKERS,
    MIN_VERSIONS,
    KEEP_DELETED,
    /** {@link CellStore#save} and {@link CellStore#copy}. */
    TABLE_SNAPSHOTS,
    /** The data survives close and open. */
    PERSISTENT
}
