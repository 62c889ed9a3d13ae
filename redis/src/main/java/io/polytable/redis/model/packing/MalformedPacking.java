package io.polytable.redis.model.packing;

/** Bytes that are not what they are said to be. Whoever was sent them knows what to answer; it has no stack trace. */
public final class MalformedPacking extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedPacking(String what) {
        super(what, null, false, false);
    }
}
