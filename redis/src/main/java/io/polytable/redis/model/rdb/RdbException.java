package io.polytable.redis.model.rdb;

/** An RDB file that is damaged, or that has something this server does not store. */
public final class RdbException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long offset;

    /** @param offset the byte of the file at which reading ended */
    RdbException(String reason, long offset) {
        super(reason + ", at byte " + offset);
        this.offset = offset;
    }

    public long offset() {
        return offset;
    }
}
