package io.polytable.redis.model.packing;

/** What is packed would be larger than it may become. */
public final class PackedTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PackedTooLarge() {
        super("too large to be packed", null, false, false);
    }
}
