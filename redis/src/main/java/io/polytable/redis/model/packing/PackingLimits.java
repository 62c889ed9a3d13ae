package io.polytable.redis.model.packing;

/**
 * The thresholds up to which Redis packs collections, by type.
 *
 * @param list as {@code list-max-listpack-size}: a number of elements, or when negative a size in bytes
 * @param integers the number of members up to which a set of integers is an intset
 */
public record PackingLimits(Packing hash, long list, Packing set, long integers, Packing sortedSet) {
    /** Redis' defaults. */
    public static final PackingLimits STANDARD =
            new PackingLimits(new Packing(512, 64), -2, new Packing(128, 64), 512, new Packing(128, 64));

    /** The sizes that -1 to -5 stand for. */
    private static final long[] LIST_BYTES_MAX = {4096, 8192, 16384, 32768, 65536};

    /** A listpack with a limit of elements does not grow beyond this. */
    private static final long LIST_SAFE_BYTES_MAX = 8192;

    /** The number of elements that one listpack of a list takes at most. */
    public long listElementsMax() {
        return list < 0 ? Long.MAX_VALUE : Math.max(1, list);
    }

    /** The size of one listpack of a list at most. */
    public long listBytesMax() {
        return list < 0 ? LIST_BYTES_MAX[(int) Math.min(LIST_BYTES_MAX.length, -list) - 1] : LIST_SAFE_BYTES_MAX;
    }
}
