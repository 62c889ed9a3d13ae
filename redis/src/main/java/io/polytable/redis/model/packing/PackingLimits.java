package io.polytable.redis.model.packing;

/**
 * When Redis packs a collection, by type.
 *
 * @param list as {@code list-max-listpack-size} has it: up to so many elements, or when negative a size in bytes
 * @param integers how many members a set of nothing but integers may have to be kept as such
 */
public record PackingLimits(Packing hash, long list, Packing set, long integers, Packing sortedSet) {
    /** As Redis has them when nothing is configured. */
    public static final PackingLimits STANDARD =
            new PackingLimits(new Packing(512, 64), -2, new Packing(128, 64), 512, new Packing(128, 64));

    /** What -1 to -5 stand for. */
    private static final long[] LIST_BYTES_MAX = {4096, 8192, 16384, 32768, 65536};

    /** No listpack with a limit of elements gets larger. */
    private static final long LIST_SAFE_BYTES_MAX = 8192;

    /** How many elements of a list one listpack takes at most. */
    public long listElementsMax() {
        return list < 0 ? Long.MAX_VALUE : Math.max(1, list);
    }

    /** How large one listpack of a list gets at most. */
    public long listBytesMax() {
        return list < 0 ? LIST_BYTES_MAX[(int) Math.min(LIST_BYTES_MAX.length, -list) - 1] : LIST_SAFE_BYTES_MAX;
    }
}
