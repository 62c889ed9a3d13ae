package io.polytable.redis.model.number;

import io.polytable.table.Bytes;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A number of INCRBYFLOAT: C's long double on x86, with 64 bits of precision. Java has no such type, so a sum is
 * computed exactly and rounded once, as the processor does.
 */
public final class LongDouble {
    public static final LongDouble ZERO = new LongDouble(BigInteger.ZERO, 0);

    /** Redis parses no longer number. */
    private static final int TEXT_BYTES_MAX = 5 * 1024 - 1;

    private static final LongDouble INFINITY = new LongDouble(BigInteger.ONE, Integer.MAX_VALUE);
    private static final LongDouble NEGATIVE_INFINITY = new LongDouble(BigInteger.ONE.negate(), Integer.MAX_VALUE);

    private static final int DECIMALS = 17;
    private static final BigInteger DECIMALS_FACTOR = BigInteger.TEN.pow(DECIMALS);

    /** Powers of ten outside these bounds exceed the format, whatever the digits are. */
    private static final int DECIMAL_MAGNITUDE_MAX = 4940;

    private static final int DECIMAL_MAGNITUDE_MIN = -4960;

    private final BigInteger mantissa;
    private final int exponent;

    private LongDouble(BigInteger mantissa, int exponent) {
        this.mantissa = mantissa;
        this.exponent = exponent;
    }

    /** The number in the whole text, empty where Redis reports that it is not a valid float. */
    public static Optional<LongDouble> parse(Bytes text) {
        FloatText parts = text.length() > TEXT_BYTES_MAX ? null : FloatText.scan(text);
        if (parts == null) {
            return Optional.empty();
        }
        if (parts.isInfinite()) {
            return Optional.of(parts.isNegative() ? NEGATIVE_INFINITY : INFINITY);
        }
        if (parts.isZero()) {
            return Optional.of(ZERO);
        }
        return magnitude(parts)
                .filter(value -> value.mantissa().signum() != 0 && !value.overflows(BinaryFloat.EXTENDED))
                .map(value -> signed(value, parts.isNegative()));
    }

    private static Optional<BinaryFloat> magnitude(FloatText parts) {
        long power = parts.power();
        long largest =
                parts.isHex() ? (long) ((power + 4L * parts.digitCount()) * Math.log10(2)) : power + parts.digitCount();
        if (largest > DECIMAL_MAGNITUDE_MAX || largest < DECIMAL_MAGNITUDE_MIN) {
            return Optional.empty();
        }
        return Optional.of(
                parts.isHex()
                        ? BinaryFloat.round(parts.digits(), (int) power, parts.isSticky(), BinaryFloat.EXTENDED)
                        : fromDecimal(parts.digits(), (int) power));
    }

    private static BinaryFloat fromDecimal(BigInteger digits, int power) {
        if (power >= 0) {
            return BinaryFloat.round(digits.multiply(BigInteger.TEN.pow(power)), 0, false, BinaryFloat.EXTENDED);
        }
        BigInteger divisor = BigInteger.TEN.pow(-power);
        // Two bits more than the precision: one for rounding, one since the quotient may be a bit short.
        int shift = Math.max(0, BinaryFloat.EXTENDED.precision() + 2 + divisor.bitLength() - digits.bitLength());
        BigInteger[] quotient = digits.shiftLeft(shift).divideAndRemainder(divisor);
        return BinaryFloat.round(quotient[0], -shift, quotient[1].signum() != 0, BinaryFloat.EXTENDED);
    }

    private static LongDouble signed(BinaryFloat value, boolean negative) {
        return new LongDouble(negative ? value.mantissa().negate() : value.mantissa(), value.exponent());
    }

    public boolean isFinite() {
        return exponent != Integer.MAX_VALUE;
    }

    /**
     * The sum, infinite when it exceeds the format or when either operand is infinite; Redis refuses all of these
     * in the same way.
     */
    public LongDouble plus(LongDouble other) {
        if (!isFinite() || !other.isFinite()) {
            return INFINITY;
        }
        int common = Math.min(exponent, other.exponent);
        BigInteger sum = mantissa.shiftLeft(exponent - common).add(other.mantissa.shiftLeft(other.exponent - common));
        BinaryFloat rounded = BinaryFloat.round(sum.abs(), common, false, BinaryFloat.EXTENDED);
        return rounded.overflows(BinaryFloat.EXTENDED) ? INFINITY : signed(rounded, sum.signum() < 0);
    }

    public boolean isNegative() {
        return mantissa.signum() < 0;
    }

    /** The finite number times the factor, rounded as the processor does, then rounded up to a whole number. */
    public BigInteger timesRoundedUp(long factor) {
        BigInteger exact = mantissa.abs().multiply(BigInteger.valueOf(factor));
        BinaryFloat product = BinaryFloat.round(exact, exponent, false, BinaryFloat.EXTENDED);
        BigInteger signed = isNegative() ? product.mantissa().negate() : product.mantissa();
        // A right shift rounds down; of the negated number, up.
        return product.exponent() >= 0
                ? signed.shiftLeft(product.exponent())
                : signed.negate().shiftRight(-product.exponent()).negate();
    }

    /** Up to 17 decimals, never an exponent, no trailing zeros. */
    public Bytes format() {
        if (!isFinite()) {
            return Numbers.ascii(mantissa.signum() < 0 ? "-inf" : "inf");
        }
        String text = exponent >= 0 ? mantissa.shiftLeft(exponent).toString() : formatFraction();
        return Numbers.ascii(text);
    }

    private String formatFraction() {
        BigInteger scaled = BinaryFloat.shiftRounded(mantissa.abs().multiply(DECIMALS_FACTOR), -exponent, false);
        String digits = scaled.toString();
        StringBuilder text = new StringBuilder(digits.length() + 4);
        text.append("0".repeat(Math.max(0, DECIMALS + 1 - digits.length()))).append(digits);
        text.insert(text.length() - DECIMALS, '.');
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        text.setLength(text.charAt(end - 1) == '.' ? end - 1 : end);
        return mantissa.signum() < 0 && scaled.signum() != 0 ? "-" + text : text.toString();
    }
}
