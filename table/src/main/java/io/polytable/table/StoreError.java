package io.polytable.table;

/** Why a store could not do it, and whether trying again can help. */
public enum StoreError {
    NO_SUCH_TABLE(false),
    TABLE_EXISTS(false),
    BAD_SPEC(false),
    /** A value does not fit its column. */
    BAD_VALUE(false),
    /** The batch, key or value is larger than the limit. */
    TOO_LARGE(false),
    /** The batch has rows of tables that are in different groups: no log could keep it whole. */
    CROSS_GROUP(false),
    /** Too many open snapshots, cursors or feeds. */
    TOO_MANY(true),
    /** No space on the disk, or none reserved: nothing was written. */
    NO_ROOM(true),
    /** The feed's position is older than what the log holds. */
    POSITION_EXPIRED(false),
    /** The position's text is not one of this store's. */
    BAD_POSITION(false),
    /** Bytes on disk are damaged or missing. */
    CORRUPT(false),
    /** The data is of a newer format than this code knows. */
    NEWER_FORMAT(false),
    /** Another process has the directory. */
    IN_USE(true),
    /** Reading or writing failed. */
    IO(true),
    /** The log failed in a way that leaves its content unknown; the store must be opened again. */
    FAILED(false),
    CLOSED(false);

    private final boolean retryable;

    StoreError(boolean retryable) {
        this.retryable = retryable;
    }

    public boolean retryable() {
        return retryable;
    }
}
