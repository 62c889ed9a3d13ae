package io.polytable.entity.store;

/** An optional feature of a store, beyond puts, gets, deletes of existing cells, and scans in some order. */
public enum StoreCapability {
    /** Scans are in row key order. Other stores may support the table's option {@code ordered}. */
    ORDERED_SCANS,
    /** A scan reads one snapshot of the table. */
    SNAPSHOT_SCANS,
    /** All edits of a row are atomic and isolated, also across locality groups. */
    ATOMIC_ROWS,
    /** A delete up to a timestamp also hides older cells that are put later, as in HBase. */
    DELETES_MASK_LATER_PUTS,
    /** Several processes can use the store at the same time. */
    SHARED,
    /** Users and permissions are the store's own. */
    PERMISSIONS
}
