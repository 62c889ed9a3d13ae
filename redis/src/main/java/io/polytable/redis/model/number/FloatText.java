package io.polytable.redis.model.number;

import io.polytable.table.Bytes;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a floating point literal in C's grammar, before rounding: a sign, and either infinity or significant
 * digits and an exponent. The value is {@code digits * radix^-fractionDigits * exponentBase^exponent}.
 */
final class FloatText {
    /** Further digits of a hexadecimal literal only count as zero or not; 40 are more than any format holds. */
    private static final int HEX_DIGITS_MAX = 40;

    /** Beyond this every exponent means the same, whatever the digits are (a text has fewer than 2^30 of them). */
    private static final int EXPONENT_MAX = 1 << 30;

    private final Bytes text;
    private int at;
    private boolean negative;
    private boolean infinite;
    private boolean hex;

    /** The significant digits without leading zeros and without the point. */
    private final StringBuilder digits = new StringBuilder();

    private boolean sawDigit;

    /** Whether a digit other than zero was dropped after the kept ones. */
    private boolean sticky;

    /** The number of kept digits after the point, less the dropped digits before it. */
    private long scale;

    private int exponent;

    private FloatText(Bytes text) {
        this.text = text;
    }

    /** Null when the text is no such literal, or spells NaN. */
    static @Nullable FloatText scan(Bytes text) {
        FloatText parts = new FloatText(text);
        return parts.scanAll() ? parts : null;
    }

    boolean isNegative() {
        return negative;
    }

    boolean isInfinite() {
        return infinite;
    }

    boolean isZero() {
        return digits.length() == 0;
    }

    boolean isHex() {
        return hex;
    }

    boolean isSticky() {
        return sticky;
    }

    int digitCount() {
        return digits.length();
    }

    BigInteger digits() {
        return isZero() ? BigInteger.ZERO : new BigInteger(digits.toString(), hex ? 16 : 10);
    }

    /** The power of ten, or for hexadecimal of two, by which the digits are multiplied. */
    long power() {
        return exponent - (hex ? 4 * scale : scale);
    }

    /** Empty when the number is too large for a double, or so small that it would become zero. */
    OptionalDouble toDouble() {
        double value = nearestDouble();
        boolean lost = infinite != Double.isInfinite(value) || (value == 0 && !infinite && !isZero());
        return lost ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    double nearestDouble() {
        double magnitude;
        if (infinite) {
            magnitude = Double.POSITIVE_INFINITY;
        } else if (isZero()) {
            magnitude = 0;
        } else if (hex) {
            magnitude = hexMagnitude();
        } else {
            magnitude = Math.abs(Double.parseDouble(
                    new String(text.array(), text.offset(), text.length(), StandardCharsets.ISO_8859_1)));
        }
        return negative ? -magnitude : magnitude;
    }

    private double hexMagnitude() {
        long power = power();
        long magnitude = power + 4L * digits.length();
        if (magnitude > Double.MAX_EXPONENT + 8) {
            return Double.POSITIVE_INFINITY;
        }
        if (magnitude < -1080) {
            return 0;
        }
        BinaryFloat rounded = BinaryFloat.round(digits(), (int) power, sticky, BinaryFloat.DOUBLE);
        return Math.scalb(rounded.mantissa().doubleValue(), rounded.exponent());
    }

    private boolean scanAll() {
        if (at < text.length() && (text.at(at) == '-' || text.at(at) == '+')) {
            negative = text.at(at++) == '-';
        }
        if (scanWord("infinity") || scanWord("inf")) {
            infinite = true;
            return at == text.length();
        }
        hex = scanWord("0x");
        scanDigits(false);
        if (at < text.length() && text.at(at) == '.') {
            at++;
            scanDigits(true);
        }
        if (!sawDigit) {
            return false;
        }
        scanExponent();
        return at == text.length();
    }

    private boolean scanWord(String word) {
        if (text.length() - at < word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (Character.toLowerCase(text.at(at + i) & 0xff) != word.charAt(i)) {
                return false;
            }
        }
        at += word.length();
        return true;
    }

    private void scanDigits(boolean behindPoint) {
        while (at < text.length() && Character.digit(text.at(at) & 0xff, hex ? 16 : 10) >= 0) {
            char digit = (char) text.at(at++);
            sawDigit = true;
            boolean kept = !hex || digits.length() < HEX_DIGITS_MAX;
            if (!kept) {
                sticky |= digit != '0';
            } else if (digit != '0' || digits.length() > 0) {
                digits.append(digit);
            }
            if (kept == behindPoint) {
                scale += behindPoint ? 1 : -1;
            }
        }
    }

    private void scanExponent() {
        int start = at;
        if (at == text.length() || Character.toLowerCase(text.at(at) & 0xff) != (hex ? 'p' : 'e')) {
            return;
        }
        at++;
        boolean minus = false;
        if (at < text.length() && (text.at(at) == '-' || text.at(at) == '+')) {
            minus = text.at(at++) == '-';
        }
        int firstDigit = at;
        int value = 0;
        while (at < text.length() && text.at(at) >= '0' && text.at(at) <= '9') {
            value = (int) Math.min(value * 10L + text.at(at++) - '0', EXPONENT_MAX);
        }
        exponent = minus ? -value : value;
        if (at == firstDigit) {
            // No exponent after all: the literal ended before the letter.
            at = start;
        }
    }
}
