package io.polytable.entity.model;

/** Why the entity library refused or failed, and whether trying again can help. */
public enum EntityError {
    BAD_URI(false),
    NO_SUCH_INSTANCE(false),
    INSTANCE_EXISTS(false),
    NO_SUCH_TABLE(false),
    TABLE_EXISTS(false),
    NO_SUCH_COLUMN(false),
    BAD_NAME(false),
    BAD_LAYOUT(false),
    /** The update was made for another layout than the current one: read it again. */
    LAYOUT_CONFLICT(true),
    INCOMPATIBLE_SCHEMA(false),
    UNKNOWN_SCHEMA(false),
    BAD_ENTITY_ID(false),
    BAD_REQUEST(false),
    /** A value that its column cannot hold, or stored bytes that are not what the column says. */
    BAD_VALUE(false),
    TOO_LARGE(false),
    /** The store does not declare the capability. */
    NOT_CAPABLE(false),
    /** The layout changed under a long operation. */
    STALE_LAYOUT(true),
    /** The caller lacks a permission. */
    DENIED(false),
    /** No store of the URI's hosts answers. */
    UNREACHABLE(true),
    /** The outcome of a conditional write is not known: read before trying again. */
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
