package io.polytable.cells;

/** Whether compaction keeps masked cells, so that reads of a time range before the delete still see them. */
public enum KeepDeleted {
    NEVER,
    /** For as long as versions and time to live allow. */
    ALWAYS,
    /** Until the delete marker is older than the family's time to live. */
    UNTIL_TTL
}
