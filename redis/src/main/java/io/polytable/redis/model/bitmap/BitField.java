package io.polytable.redis.model.bitmap;

import java.util.OptionalLong;

/**
 * An integer of some bits inside a string, most significant bit first.
 *
 * @param bits 1 to 64 with a sign, 1 to 63 without
 */
public record BitField(boolean signed, int bits) {
    /** What to do with a value that does not fit. */
    public enum Overflow {
        WRAP,
        SATURATE,
        FAIL
    }

    /** The value at the offset; bits after the end are zero. */
    long get(byte[] string, long offset) {
        long value = 0;
        for (int i = 0; i < bits; i++) {
            value = (value << 1) | BitRange.bit(string, offset + i);
        }
        return signed ? signExtended(value) : value;
    }

    void set(byte[] string, long offset, long value) {
        for (int i = 0; i < bits; i++) {
            long at = offset + i;
            int mask = 0x80 >>> (at & 7);
            int index = (int) (at >>> 3);
            boolean one = ((value >>> (bits - 1 - i)) & 1) != 0;
            string[index] = (byte) (one ? string[index] | mask : string[index] & ~mask);
        }
    }

    private long signExtended(long value) {
        return value << (Long.SIZE - bits) >> (Long.SIZE - bits);
    }

    /** The value plus the increment as this field can hold it; empty when it does not fit and must fail. */
    OptionalLong sum(long value, long increment, Overflow overflow) {
        int over = signed ? signedOverflow(value, increment) : unsignedOverflow(value, increment);
        if (over == 0) {
            return OptionalLong.of(value + increment);
        }
        return switch (overflow) {
            case WRAP -> OptionalLong.of(wrapped(value + increment));
            case SATURATE -> OptionalLong.of(over > 0 ? max() : min());
            case FAIL -> OptionalLong.empty();
        };
    }

    private long wrapped(long sum) {
        return signed ? signExtended(sum) : sum & max();
    }

    private long max() {
        int magnitude = signed ? bits - 1 : bits;
        return (1L << magnitude) - 1;
    }

    private long min() {
        return signed ? -max() - 1 : 0;
    }

    private int signedOverflow(long value, long increment) {
        long sum = value + increment;
        boolean carried = ((value ^ sum) & (increment ^ sum)) < 0;
        if (carried) {
            return value >= 0 ? 1 : -1;
        }
        return sum > max() ? 1 : sum < min() ? -1 : 0;
    }

    /** The value is unsigned, as SET gives it; the increment is signed. */
    private int unsignedOverflow(long value, long increment) {
        if (Long.compareUnsigned(value, max()) > 0) {
            return 1;
        }
        if (increment > 0 && Long.compareUnsigned(increment, max() - value) > 0) {
            return 1;
        }
        return increment < 0 && increment < -value ? -1 : 0;
    }
}
