package io.polytable.cells;

/** Why a cell store refused or failed, and whether trying again can help. */
public enum CellError {
    NO_SUCH_TABLE(false),
    TABLE_EXISTS(false),
    NO_SUCH_FAMILY(false),
    NO_SUCH_SNAPSHOT(false),
    SNAPSHOT_EXISTS(false),
    BAD_SPEC(false),
    /** The request contradicts itself or names what cannot be. */
    BAD_REQUEST(false),
    /** A row key, qualifier, value, row write or batch beyond {@link CellLimits}. */
    TOO_LARGE(false),
    /** An increment of a value that is not eight bytes long. */
    NOT_A_COUNTER(false),
    /** The store does not declare the {@code CellCapability}. */
    NOT_CAPABLE(false),
    /** Too many open scanners or snapshots. */
    TOO_MANY(true),
    /** The store takes no more writes for the moment. */
    BUSY(true),
    /** The batch before it answers as much as it may; this write was not made. */
    ANSWERED_ENOUGH(true),
    /** Another write or retry with the same nonce is running. */
    IN_PROGRESS(true),
    /** What is stored is damaged. */
    CORRUPT(false),
    /** The store beneath failed; the cause says how. */
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
