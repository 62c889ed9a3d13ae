package io.polytable.redis.command.lua;

/** The generator behind math.random: that of Redis. */
final class LuaRandom {
    private static final long MULTIPLIER = 0x5DEECE66DL;
    private static final long INCREMENT = 0xBL;
    private static final long MASK = (1L << 48) - 1;
    private static final long FIRST = 0x330EL;

    private long x = (0x1234ABCDL << 16) | FIRST;

    void seed(long seed) {
        x = ((seed & 0xffffffffL) << 16) + FIRST;
    }

    /** From 0 to less than 1. */
    double next() {
        x = (x * MULTIPLIER + INCREMENT) & MASK;
        long bits = x >>> 17;
        return (double) (bits % Integer.MAX_VALUE) / Integer.MAX_VALUE;
    }
}
