package io.polytable.redis.model.packing;

/** A packed value would exceed its limit. */
public final class PackedTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PackedTooLarge() {
        super("too large to be packed", null, false, false);
    }
}
