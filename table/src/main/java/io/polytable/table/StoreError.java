package io.polytable.table;

/** The reason of a failure, and whether a retry can help. */
public enum StoreError {
    NO_SUCH_TABLE(false),
    TABLE_EXISTS(false),
    BAD_SPEC(false),
    /** A value does not fit its column. */
    BAD_VALUE(false),
    /** The batch, key or value is larger than the limit. */
    TOO_LARGE(false),
    /** The batch has rows of tables in different partitions: no log could make it atomic. */
    CROSS_PARTITION(false),
    /** Too many open snapshots, cursors or feeds. */
    TOO_MANY(true),
    /** No space on the disk, or none reserved: nothing was written. */
    NO_ROOM(true),
    /** The feed's position is older than the start of the log. */
    POSITION_EXPIRED(false),
    /** The position's text does not belong to this store. */
    BAD_POSITION(false),
    /** Bytes on disk are damaged or missing. */
    CORRUPT(false),
    /** The data is of a newer format than this code knows. */
    NEWER_FORMAT(false),
    /** Another process holds the directory. */
    IN_USE(true),
    /** Reading or writing failed. */
    IO(true),
    /** The log failed in a way that leaves its content unknown; the store must be reopened. */
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
