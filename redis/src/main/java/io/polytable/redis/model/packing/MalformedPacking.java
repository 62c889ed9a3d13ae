package io.polytable.redis.model.packing;

/** Bytes that are not in the expected format. The receiver decides what to answer; it has no stack trace. */
public final class MalformedPacking extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedPacking(String what) {
        super(what, null, false, false);
    }
}
