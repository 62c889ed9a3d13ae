package io.polytable.redis.command.lua;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as C's {@code %.17g} writes them. */
final class LuaNumbers {
    private static final int DIGITS = 17;
    private static final double EXACT_MAX = 1e15;
    private static final int EXPONENT_MIN = -4;
    private static final MathContext ROUNDED = new MathContext(DIGITS, RoundingMode.HALF_EVEN);

    private LuaNumbers() {}

    static String text(double value) {
        if (Double.isNaN(value)) {
            return (Double.doubleToRawLongBits(value) < 0) ? "-nan" : "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (value == Math.rint(value) && Math.abs(value) < EXACT_MAX) {
            return value == 0 && 1 / value < 0 ? "-0" : Long.toString((long) value);
        }
        return rounded(value);
    }

    private static String rounded(double value) {
        BigDecimal decimal = new BigDecimal(value).round(ROUNDED).stripTrailingZeros();
        int exponent = decimal.precision() - decimal.scale() - 1;
        if (exponent >= EXPONENT_MIN && exponent < DIGITS) {
            return decimal.toPlainString();
        }
        String digits = decimal.unscaledValue().abs().toString();
        String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        int size = Math.abs(exponent);
        return (decimal.signum() < 0 ? "-" : "")
                + mantissa
                + (exponent < 0 ? "e-" : "e+")
                + (size < 10 ? "0" : "")
                + size;
    }
}
