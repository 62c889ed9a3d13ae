package io.polytable.conformance.differential;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Doubles as Redis 7.2 writes them: the shortest digits that read back as the same number. 7.0 wrote seventeen digits,
 * so 0.1 came back as 0.10000000000000001.
 */
final class DoubleText {
    private static final int DIGITS_MAX = 17;

    /** Whole numbers up to here are written as integers. */
    private static final double WHOLE_MAX = 0x1p62;

    private DoubleText() {}

    /** A reply's text to the number it means. */
    static double parse(String text) {
        return switch (text) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "nan" -> Double.NaN;
            default -> Double.parseDouble(text);
        };
    }

    static String of(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value < 0 ? "-inf" : "inf";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        boolean whole = Math.abs(value) <= WHOLE_MAX && value == (double) (long) value;
        return whole ? Long.toString((long) value) : (value < 0 ? "-" : "") + positive(Math.abs(value));
    }

    private static String positive(double value) {
        BigDecimal shortest = shortest(value);
        String digits = shortest.unscaledValue().toString();
        int count = digits.length();
        int tens = -shortest.scale();
        int exponent = tens + count - 1;
        if (tens >= 0 && Math.abs(exponent) < count + 7) {
            return digits + "0".repeat(tens);
        }
        if (tens < 0 && (tens > -7 || Math.abs(exponent) < 4)) {
            int point = count + tens;
            return point > 0
                    ? digits.substring(0, point) + "." + digits.substring(point)
                    : "0." + "0".repeat(-point) + digits;
        }
        String fraction = count > 1 ? "." + digits.substring(1) : "";
        return digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
    }

    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 1; digits < DIGITS_MAX; digits++) {
            BigDecimal rounded = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (rounded.doubleValue() == value) {
                return rounded.stripTrailingZeros();
            }
        }
        return exact.round(new MathContext(DIGITS_MAX, RoundingMode.HALF_EVEN)).stripTrailingZeros();
    }
}
