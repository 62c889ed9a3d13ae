package io.polytable.redis.model.number;

import java.math.BigInteger;

/** A magnitude {@code mantissa * 2^exponent} that a binary floating point format can hold. */
record BinaryFloat(BigInteger mantissa, int exponent) {
    /** The bits that a format keeps, the weight of its last subnormal bit, and the power of two it stays below. */
    record Format(int precision, int exponentMin, int magnitudeMax) {}

    static final Format DOUBLE = new Format(53, -1074, 1024);

    /** The 80-bit format of x86, which is C's long double there. */
    static final Format EXTENDED = new Format(64, -16445, 16384);

    /**
     * Rounds {@code magnitude * 2^exponent} to the nearest, ties to even. Sticky means that the true value is a little
     * larger, by less than the last bit. The caller checks {@link #overflows}.
     */
    static BinaryFloat round(BigInteger magnitude, int exponent, boolean sticky, Format format) {
        int drop = Math.max(magnitude.bitLength() - format.precision, format.exponentMin - exponent);
        if (drop <= 0) {
            return new BinaryFloat(magnitude, exponent);
        }
        return new BinaryFloat(shiftRounded(magnitude, drop, sticky), exponent + drop);
    }

    /** Divides by {@code 2^drop}, to the nearest, ties to even. */
    static BigInteger shiftRounded(BigInteger magnitude, int drop, boolean sticky) {
        BigInteger kept = magnitude.shiftRight(drop);
        boolean half = magnitude.testBit(drop - 1);
        boolean more = sticky || magnitude.getLowestSetBit() < drop - 1;
        boolean up = half && (more || kept.testBit(0));
        return up ? kept.add(BigInteger.ONE) : kept;
    }

    boolean overflows(Format format) {
        return mantissa.bitLength() + exponent > format.magnitudeMax;
    }
}
