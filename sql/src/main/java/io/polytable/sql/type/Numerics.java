package io.polytable.sql.type;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic on decimals of up to 38 digits, which is the widest that DuckDB has: exact, or an error beyond. Quotients, and
 * numbers whose digits no type bounds, have 16 digits behind the point.
 */
public final class Numerics {
    /** The type of a quotient, and of a NUMERIC that is cast from text or a DOUBLE. */
    public static final SqlType QUOTIENT = SqlType.decimal(SqlType.DECIMAL_DIGITS_MAX, 16);

    /** PostgreSQL takes so many digits from a DOUBLE. */
    private static final MathContext DOUBLE_DIGITS = new MathContext(15, RoundingMode.HALF_UP);

    private Numerics() {}

    /** The number of digits that a literal has, without leading zeros. */
    public static int digits(String literal) {
        int digits = 0;
        boolean begun = false;
        boolean fraction = false;
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            fraction |= c == '.';
            begun |= fraction || (c >= '1' && c <= '9');
            digits += begun && c >= '0' && c <= '9' ? 1 : 0;
        }
        return digits;
    }

    /** The number in a text, with all its digits. */
    public static BigDecimal parsed(String text) {
        Object number = Casts.to(SqlType.of(SqlType.Kind.DECIMAL), text.replace("_", ""));
        BigDecimal decimal = (BigDecimal) Objects.requireNonNull(number);
        return checked(decimal.scale() < 0 ? decimal.setScale(0) : decimal);
    }

    /** The number that a literal of text or a DOUBLE stands for. */
    public static BigDecimal literal(Object value) {
        return value instanceof Double number
                ? parsed(BigDecimal.valueOf(number).stripTrailingZeros().toString())
                : parsed(value.toString());
    }

    /** The number as given if it has at most 38 digits. */
    public static BigDecimal checked(BigDecimal number) {
        if (Math.max(number.precision(), number.scale()) - Math.min(number.scale(), 0) > SqlType.DECIMAL_DIGITS_MAX) {
            throw new SqlError(
                    SqlCode.OUT_OF_RANGE,
                    "a number has at most " + SqlType.DECIMAL_DIGITS_MAX + " digits, which this one exceeds");
        }
        return number;
    }

    public static BigDecimal quotient(BigDecimal a, BigDecimal b) {
        return checked(a.divide(nonZero(b), QUOTIENT.scale(), RoundingMode.HALF_UP));
    }

    public static BigDecimal product(BigDecimal a, BigDecimal b) {
        return checked(a.multiply(b).setScale(QUOTIENT.scale(), RoundingMode.HALF_UP));
    }

    /** The quotient without its fraction. */
    public static BigDecimal wholeQuotient(BigDecimal a, BigDecimal b) {
        return checked(a.divideToIntegralValue(nonZero(b)).setScale(0, RoundingMode.DOWN));
    }

    private static BigDecimal nonZero(BigDecimal divisor) {
        if (divisor.signum() == 0) {
            throw new SqlError(SqlCode.DIVISION_BY_ZERO, "division by zero");
        }
        return divisor;
    }

    /** The number with 16 digits behind the point; an error if it has more. */
    public static BigDecimal exact(BigDecimal number) {
        if (number.stripTrailingZeros().scale() > QUOTIENT.scale()) {
            throw new SqlError(
                    SqlCode.OUT_OF_RANGE,
                    "the number has more than " + QUOTIENT.scale()
                            + " digits behind the point: cast it to DECIMAL with as many as it needs");
        }
        return checked(number.setScale(QUOTIENT.scale(), RoundingMode.UNNECESSARY));
    }

    /** A NUMERIC from text or a DOUBLE; null stays null. */
    public static @Nullable BigDecimal of(@Nullable Object value, boolean floating) {
        if (value == null) {
            return null;
        }
        BigDecimal number = parsed(value instanceof Number ? value.toString() : Texts.of(value));
        return floating ? rounded(number) : exact(number);
    }

    /** The digits of a DOUBLE that are certain. */
    public static BigDecimal rounded(BigDecimal ofDouble) {
        return checked(ofDouble.round(DOUBLE_DIGITS).setScale(QUOTIENT.scale(), RoundingMode.HALF_UP));
    }
}
