package io.polytable.redis.model.number;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Prints doubles as Redis does: 7.2 with the fewest digits (see {@link DoubleDigits}), older versions with 17. */
public final class DoubleText {
    /** Whole numbers up to here are written as such, before any other rule. */
    private static final double WHOLE_MAX = 0x1p62;

    private static final MathContext SEVENTEEN = new MathContext(17, RoundingMode.HALF_EVEN);

    private DoubleText() {}

    /** As a score in a reply of Redis 7.2. */
    public static String shortest(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return special(value);
        }
        if (Math.abs(value) <= WHOLE_MAX && (long) value == value) {
            return Long.toString((long) value);
        }
        DoubleDigits digits = DoubleDigits.of(Math.abs(value));
        String text = layOut(digits.digits(), digits.power());
        return value < 0 ? "-" + text : text;
    }

    private static String special(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
    }

    /** Plain where that is short, otherwise with an exponent without leading zeros. */
    private static String layOut(String digits, int power) {
        int count = digits.length();
        int exponent = power + count - 1;
        if (power >= 0 && Math.abs(exponent) < count + 7) {
            return digits + "0".repeat(power);
        }
        if (power < 0 && (power > -7 || Math.abs(exponent) < 4)) {
            int point = count + power;
            return point <= 0
                    ? "0." + "0".repeat(-point) + digits
                    : digits.substring(0, point) + "." + digits.substring(point);
        }
        String fraction = count > 1 ? "." + digits.substring(1) : "";
        return digits.charAt(0) + fraction + (exponent < 0 ? "e-" : "e+") + Math.abs(exponent);
    }

    /** As C's {@code %.17g}. */
    public static String seventeenDigits(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return special(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(SEVENTEEN).stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < 17) {
            return rounded.toPlainString();
        }
        String digits = rounded.unscaledValue().abs().toString();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String sign = exponent < 0 ? "e-" : "e+";
        return (value < 0 ? "-" : "")
                + digits.charAt(0)
                + fraction
                + sign
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }
}
