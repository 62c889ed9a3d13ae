package io.polytable.entity.store;

/** What a store can do beyond puts, gets, deletes of what is there, and scans in some order. */
public enum StoreCapability {
    /** Scans are in the order of row keys. Elsewhere a table's option {@code ordered} may ask for it. */
    ORDERED_SCANS,
    /** A scan sees the table as of one moment. */
    SNAPSHOT_SCANS,
    /** All edits of a row are seen together or not at all, also across locality groups. */
    ATOMIC_ROWS,
    /** A delete up to a timestamp also hides cells of that time that are put later, as in HBase. */
    DELETES_MASK_LATER_PUTS,
    /** Several processes can use the store at the same time. */
    SHARED,
    /** Users and permissions are the store's own. */
    PERMISSIONS
}
