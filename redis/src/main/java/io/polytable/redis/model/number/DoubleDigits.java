package io.polytable.redis.model.number;

import java.math.BigInteger;

/**
 * Decimal digits of a double that read back as exactly the same double: {@code digits * 10^power}. Redis 7.2 prints
 * with Loitsch's Grisu2, which finds the shortest digits for all but about one double in a thousand and one digit more
 * for the rest. Programs compare such texts, so we use the same method instead of a better one.
 *
 * <p>Grisu2 in a sentence: scale the double and its two neighbours' midpoints with a rounded 64-bit power of ten, so
 * that the whole digits fit 32 bits, and emit digits of the upper midpoint until the rest lies within the interval;
 * then lower the last digit towards the double.
 */
record DoubleDigits(String digits, int power) {
    private static final int FRACTION_BITS = 52;
    private static final long HIDDEN_BIT = 1L << FRACTION_BITS;
    private static final int EXPONENT_BIAS = 1023 + FRACTION_BITS;

    /** The range of the scaled number's binary exponent. */
    private static final int SCALED_EXPONENT_MIN = -60;

    private static final int SCALED_EXPONENT_MAX = -32;

    /** An unsigned 64-bit number with a binary exponent. */
    private record Scaled(long bits, int exponent) {
        /** The upper half of the 128-bit product, rounded. */
        Scaled times(Scaled other) {
            long high = Math.multiplyHigh(bits, other.bits);
            high += ((bits >> 63) & other.bits) + ((other.bits >> 63) & bits);
            long low = bits * other.bits;
            return new Scaled(high + (low >>> 63), exponent + other.exponent + 64);
        }
    }

    static DoubleDigits of(double positive) {
        long raw = Double.doubleToRawLongBits(positive);
        int biased = (int) (raw >>> FRACTION_BITS);
        long fraction = (raw & (HIDDEN_BIT - 1)) | (biased == 0 ? 0 : HIDDEN_BIT);
        int exponent = Math.max(biased, 1) - EXPONENT_BIAS;

        Scaled upper = normalized(2 * fraction + 1, exponent - 1);
        // Just above a power of two the lower neighbour is half as far away.
        int below = fraction == HIDDEN_BIT ? 2 : 1;
        long lowerBits = ((fraction << below) - 1) << (exponent - below - upper.exponent);
        Scaled lower = new Scaled(lowerBits, upper.exponent);

        int index = PowersOfTen.indexFor(upper.exponent);
        Scaled power = PowersOfTen.TABLE[index];
        Digits found = new Digits(
                normalized(fraction, exponent).times(power),
                // One unit inwards: the products are off by at most that.
                lower.times(power).bits + 1,
                upper.times(power).bits - 1);
        found.generate();
        return new DoubleDigits(found.text.toString(), found.power - PowersOfTen.exponentAt(index));
    }

    private static Scaled normalized(long bits, int exponent) {
        int shift = Long.numberOfLeadingZeros(bits);
        return new Scaled(bits << shift, exponent - shift);
    }

    /** Generates the digits of one scaled interval. */
    private static final class Digits {
        private final StringBuilder text = new StringBuilder(18);
        private final int pointBits;
        private final long one;
        private final long upper;
        private long width;
        private long distance;
        private int power;

        Digits(Scaled value, long lower, long upper) {
            this.pointBits = -value.exponent;
            this.one = 1L << pointBits;
            this.upper = upper;
            this.width = upper - lower;
            this.distance = upper - value.bits;
        }

        void generate() {
            long rest = wholeDigits();
            if (rest != 0) {
                fractionDigits(rest);
            }
        }

        /** Answers the remaining fraction, or zero when the whole digits were enough. */
        private long wholeDigits() {
            long whole = upper >>> pointBits;
            long fraction = upper & (one - 1);
            long unit = 1_000_000_000;
            for (power = 9; power >= 0; power--) {
                append((int) (whole / unit));
                whole %= unit;
                long rest = (whole << pointBits) + fraction;
                if (Long.compareUnsigned(rest, width) <= 0) {
                    approach(rest, unit << pointBits);
                    return 0;
                }
                unit /= 10;
            }
            return fraction;
        }

        private void fractionDigits(long fraction) {
            long rest = fraction;
            power = 0;
            do {
                rest *= 10;
                width *= 10;
                distance *= 10;
                power--;
                append((int) (rest >>> pointBits));
                rest &= one - 1;
            } while (Long.compareUnsigned(rest, width) >= 0);
            approach(rest, one);
        }

        private void append(int digit) {
            if (digit != 0 || !text.isEmpty()) {
                text.append((char) ('0' + digit));
            }
        }

        /** Lowers the last digit while that stays inside the interval and comes closer to the double itself. */
        private void approach(long rest, long unit) {
            long left = rest;
            int last = text.length() - 1;
            while (Long.compareUnsigned(left, distance) < 0
                    && Long.compareUnsigned(width - left, unit) >= 0
                    && (Long.compareUnsigned(left + unit, distance) < 0
                            || Long.compareUnsigned(distance - left, left + unit - distance) > 0)) {
                text.setCharAt(last, (char) (text.charAt(last) - 1));
                left += unit;
            }
        }
    }

    /** Every eighth power of ten in 64 bits, rounded to the nearest. */
    private static final class PowersOfTen {
        private static final int FIRST = -348;
        private static final int STEP = 8;
        private static final int COUNT = 87;

        /** log10(2) in exactly these digits, which decide which of two fitting powers is found first. */
        private static final double DIGITS_PER_BIT = 0.30102999566398114;

        private static final Scaled[] TABLE = new Scaled[COUNT];

        static {
            for (int i = 0; i < COUNT; i++) {
                TABLE[i] = scaled(exponentAt(i));
            }
        }

        private static Scaled scaled(int exponent) {
            BigInteger power = BigInteger.TEN.pow(Math.abs(exponent));
            int shift = power.bitLength() + 70;
            BigInteger magnitude =
                    exponent >= 0 ? power : BigInteger.ONE.shiftLeft(shift).divide(power);
            int drop = magnitude.bitLength() - 64;
            long bits = drop > 0
                    ? BinaryFloat.shiftRounded(magnitude, drop, exponent < 0).longValue()
                    : magnitude.shiftLeft(-drop).longValue();
            return new Scaled(bits, exponent >= 0 ? drop : drop - shift);
        }

        static int exponentAt(int index) {
            return FIRST + index * STEP;
        }

        static int indexFor(int binaryExponent) {
            int decimal = (int) (-(binaryExponent + COUNT) * DIGITS_PER_BIT);
            int index = (decimal - FIRST) / STEP;
            while (true) {
                int product = binaryExponent + TABLE[index].exponent + 64;
                if (product < SCALED_EXPONENT_MIN) {
                    index++;
                } else if (product > SCALED_EXPONENT_MAX) {
                    index--;
                } else {
                    return index;
                }
            }
        }
    }
}
