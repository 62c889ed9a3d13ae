package io.polytable.redis.model.number;

import io.polytable.table.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Numbers as Redis parses and formats them. Whole numbers have exactly one spelling. Doubles are parsed as C's strtod
 * does and written with as few digits as Redis 7.2 needs ({@link DoubleText}). {@link LongDouble} is the type of
 * INCRBYFLOAT.
 */
public final class Numbers {
    private static final int LONG_DIGITS_MAX = 20;
    private static final int PLAIN_DIGITS_MAX = 15;
    private static final Bytes[] SMALL = new Bytes[1024];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = Bytes.utf8(Integer.toString(i));
        }
    }

    private Numbers() {}

    /** Parses a 64-bit number in its only spelling: no sign but a minus, no leading zeros, no blanks. */
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
        // Counts downwards, since the negative range is larger by one.
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
     * Parses a double that takes up the whole text: decimal, hexadecimal or infinite. Empty for anything else: NaN,
     * blanks, and numbers too large for a double or so small that they would become zero.
     */
    public static OptionalDouble parseDouble(Bytes text) {
        if (isPlain(text)) {
            return OptionalDouble.of(plain(text));
        }
        FloatText parts = FloatText.scan(text);
        return parts == null ? OptionalDouble.empty() : parts.toDouble();
    }

    /** Whether it is only a sign and so few digits that a double holds them exactly: what most scores are. */
    private static boolean isPlain(Bytes text) {
        int from = text.length() > 0 && text.at(0) == '-' ? 1 : 0;
        if (text.length() == from || text.length() > PLAIN_DIGITS_MAX) {
            return false;
        }
        for (int i = from; i < text.length(); i++) {
            if (!isDigit(text.at(i))) {
                return false;
            }
        }
        return true;
    }

    private static double plain(Bytes text) {
        boolean negative = text.at(0) == '-';
        long value = 0;
        for (int i = negative ? 1 : 0; i < text.length(); i++) {
            value = value * 10 + (text.at(i) - '0');
        }
        // Negated as a double, since there is a negative zero.
        return negative ? -(double) value : value;
    }

    /**
     * Parses a double as C's strtod does, which Redis uses for the ends of score ranges: blanks may come first, a zero
     * byte ends the text, an empty text is zero, and numbers too large or too small become infinity or zero. Empty
     * when it spells NaN or the number does not end the text.
     */
    public static OptionalDouble parseLeniently(Bytes text) {
        Bytes spelled = upToZero(text);
        if (spelled.isEmpty()) {
            return OptionalDouble.of(0);
        }
        FloatText parts = FloatText.scan(spelled.from(blanks(spelled)));
        return parts == null ? OptionalDouble.empty() : OptionalDouble.of(parts.nearestDouble());
    }

    private static Bytes upToZero(Bytes text) {
        int end = 0;
        while (end < text.length() && text.at(end) != 0) {
            end++;
        }
        return text.slice(0, end);
    }

    /** The number of leading blanks. */
    private static int blanks(Bytes text) {
        int count = 0;
        while (count < text.length() && isBlank(text.at(count))) {
            count++;
        }
        return count;
    }

    /**
     * As {@link #parseLeniently}, but empty also where strtod reports a range error: the number is too large, or so
     * small that digits are lost.
     */
    public static OptionalDouble parseInRange(Bytes text) {
        OptionalDouble value = parseLeniently(text);
        if (value.isEmpty()) {
            return value;
        }
        double magnitude = Math.abs(value.getAsDouble());
        if (magnitude >= Double.MIN_NORMAL && magnitude <= Double.MAX_VALUE) {
            return value;
        }
        // The rest is zero or infinity, literally or after rounding, or a subnormal number.
        Bytes digits = upToZero(text);
        FloatText parts = digits.isEmpty() ? null : FloatText.scan(digits.from(blanks(digits)));
        boolean exact = parts == null || (magnitude == 0 ? parts.isZero() : parts.isInfinite());
        return exact ? value : OptionalDouble.empty();
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    /** Formats as Redis 7.2 writes scores and doubles in replies. */
    public static Bytes format(double value) {
        return ascii(DoubleText.shortest(value));
    }

    static Bytes ascii(String text) {
        return Bytes.of(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
