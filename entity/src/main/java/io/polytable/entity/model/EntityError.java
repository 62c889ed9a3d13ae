package io.polytable.entity.model;

/** The reason of a failure, and whether a retry can help. */
public enum EntityError {
    BAD_URI(false),
    NO_SUCH_INSTANCE(false),
    INSTANCE_EXISTS(false),
    NO_SUCH_TABLE(false),
    TABLE_EXISTS(false),
    NO_SUCH_COLUMN(false),
    BAD_NAME(false),
    BAD_LAYOUT(false),
    /** The update is based on another layout than the current one: read it again. */
    LAYOUT_CONFLICT(true),
    INCOMPATIBLE_SCHEMA(false),
    UNKNOWN_SCHEMA(false),
    BAD_ENTITY_ID(false),
    BAD_REQUEST(false),
    /** A value that its column cannot hold, or stored bytes that do not match the column's schema. */
    BAD_VALUE(false),
    TOO_LARGE(false),
    /** The store does not declare the capability. */
    NOT_CAPABLE(false),
    /** The layout changed during a long operation. */
    STALE_LAYOUT(true),
    /** The caller lacks a permission. */
    DENIED(false),
    /** No store of the URI's hosts answers. */
    UNREACHABLE(true),
    /** The outcome of a write is unknown: read before retrying. */
    UNKNOWN_OUTCOME(false),
    STORE_FAILED(true),
    CLOSED(false);

    private final boolean retryable;

    EntityError(boolean retryable) {
        this.retryable = retryable;
    }

    public boolean retryable() {
        return retryable;
    }
}
