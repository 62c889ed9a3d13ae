package io.polytable.redis.model;

import io.polytable.table.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Numbers as Redis reads and writes them. Whole numbers have exactly one spelling; doubles are read as C's strtod reads
 * them and written with as few digits as Redis 7.2 needs ({@link DoubleText}); {@link LongDouble} is what INCRBYFLOAT
 * computes with.
 */
public final class Numbers {
    private static final int LONG_DIGITS_MAX = 20;
    private static final Bytes[] SMALL = new Bytes[1024];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = Bytes.utf8(Integer.toString(i));
        }
    }

    private Numbers() {}

    /** The number that is written exactly so: no sign but a minus, no leading zeros, no blanks, in 64 bits. */
    public static OptionalLong parseLong(Bytes text) {
        int length = text.length();
        if (length == 0 || length > LONG_DIGITS_MAX) {
            return OptionalLong.empty();
        }
        boolean negative = text.at(0) == '-';
        int at = negative ? 1 : 0;
        if (at == length || !isDigit(text.at(at)) || (text.at(at) == '0' && length > 1)) {
            return OptionalLong.empty();
        }
        // Counted downwards, since the negative side reaches one further.
        long value = 0;
        for (; at < length; at++) {
            byte b = text.at(at);
            if (!isDigit(b)) {
                return OptionalLong.empty();
            }
            int digit = b - '0';
            if (value < (Long.MIN_VALUE + digit) / 10) {
                return OptionalLong.empty();
            }
            value = value * 10 - digit;
        }
        if (negative) {
            return OptionalLong.of(value);
        }
        return value == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(-value);
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    public static Bytes format(long value) {
        if (value >= 0 && value < SMALL.length) {
            return SMALL[(int) value];
        }
        return ascii(Long.toString(value));
    }

    /**
     * The double that the whole text spells: decimal or hexadecimal, or an infinity. Empty for anything else: NaN,
     * blanks, and what is too large for a double or so small that it would become zero.
     */
    public static OptionalDouble parseDouble(Bytes text) {
        FloatText parts = FloatText.scan(text);
        return parts == null ? OptionalDouble.empty() : parts.toDouble();
    }

    /** As Redis 7.2 writes scores and doubles in replies. */
    public static Bytes format(double value) {
        return ascii(DoubleText.shortest(value));
    }

    static Bytes ascii(String text) {
        return Bytes.of(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
