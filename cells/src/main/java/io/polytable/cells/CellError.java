package io.polytable.cells;

/** The reason for which a cell store refused or failed, and whether a retry can help. */
public enum CellError {
    NO_SUCH_TABLE(false),
    TABLE_EXISTS(false),
    NO_SUCH_FAMILY(false),
    NO_SUCH_SNAPSHOT(false),
    SNAPSHOT_EXISTS(false),
    BAD_SPEC(false),
    /** The request is contradictory or malformed. */
    BAD_REQUEST(false),
    /** A row key, qualifier, value, row write or batch beyond {@link CellLimits}. */
    TOO_LARGE(false),
    /** An increment or append would produce a cell beyond the limit of its write. */
    COMPUTED_TOO_LARGE(false),
    /** An increment of a value that is not eight bytes long. */
    NOT_A_COUNTER(false),
    /** Too many open scanners or snapshots. */
    TOO_MANY(true),
    /** Back-pressure: the store accepts no writes at the moment. */
    BUSY(true),
    /** Earlier writes of the batch used up its result budget, so this write was not applied. */
    ANSWERED_ENOUGH(true),
    /** Another write or retry with the same nonce is running. */
    IN_PROGRESS(true),
    /** The table is stored in a layout that this version cannot read. */
    RETIRED_LAYOUT(false),
    /** Stored bytes are corrupt. */
    CORRUPT(false),
    /** The underlying store failed; see the cause. */
    STORE_FAILED(true),
    CLOSED(false);

    private final boolean retryable;

    CellError(boolean retryable) {
        this.retryable = retryable;
    }

    public boolean retryable() {
        return retryable;
    }
}
