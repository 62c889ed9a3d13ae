package io.polytable.sql.expr;

import io.polytable.sql.type.Numerics;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.math.BigDecimal;

/** Arithmetic on two numbers of one type; overflow is an error. */
final class Arithmetic {
    private Arithmetic() {}

    static Object of(String operator, SqlType type, Object a, Object b, int position) {
        return switch (type.kind()) {
            case SMALLINT -> (int) ranged(whole(operator, (Integer) a, (Integer) b, position), type, position);
            case INT -> (int) ranged(whole(operator, (Integer) a, (Integer) b, position), type, position);
            case BIGINT -> whole(operator, (Long) a, (Long) b, position);
            case FLOAT -> single(operator, ((Number) a).doubleValue(), ((Number) b).doubleValue(), position);
            case DOUBLE -> floating(operator, (Double) a, (Double) b, position);
            case DECIMAL -> decimal(operator, (BigDecimal) a, (BigDecimal) b, position);
            default ->
                throw new SqlError(
                        SqlCode.TYPE_MISMATCH, "operator " + operator + " needs numbers, not " + type, position);
        };
    }

    private static long ranged(long value, SqlType type, int position) {
        boolean fits = type.is(SqlType.Kind.SMALLINT) ? value == (short) value : value == (int) value;
        if (!fits) {
            throw outOfRange(type, position);
        }
        return value;
    }

    private static SqlError outOfRange(SqlType type, int position) {
        return new SqlError(SqlCode.OUT_OF_RANGE, type + " out of range", position);
    }

    private static long whole(String operator, long a, long b, int position) {
        try {
            return switch (operator) {
                case "+" -> Math.addExact(a, b);
                case "-" -> Math.subtractExact(a, b);
                case "*" -> Math.multiplyExact(a, b);
                case "/" -> quotient(a, nonZero(b, position), position);
                default -> b == -1 ? 0 : a % nonZero(b, position);
            };
        } catch (ArithmeticException overflow) {
            throw outOfRange(SqlType.BIGINT, position);
        }
    }

    private static long quotient(long a, long b, int position) {
        if (a == Long.MIN_VALUE && b == -1) {
            throw outOfRange(SqlType.BIGINT, position);
        }
        return a / b;
    }

    private static long nonZero(long divisor, int position) {
        if (divisor == 0) {
            throw new SqlError(SqlCode.DIVISION_BY_ZERO, "division by zero", position);
        }
        return divisor;
    }

    private static double floating(String operator, double a, double b, int position) {
        if (b == 0 && (operator.equals("/") || operator.equals("%"))) {
            throw new SqlError(SqlCode.DIVISION_BY_ZERO, "division by zero", position);
        }
        double result = switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> a / b;
            default -> a % b;
        };
        if (Double.isInfinite(result) && !Double.isInfinite(a) && !Double.isInfinite(b)) {
            throw outOfRange(SqlType.DOUBLE, position);
        }
        return result;
    }

    /** A result may fit a double and not a float. */
    private static float single(String operator, double a, double b, int position) {
        double wide = floating(operator, a, b, position);
        float narrow = (float) wide;
        if (Float.isInfinite(narrow) && !Double.isInfinite(wide)) {
            throw outOfRange(SqlType.FLOAT, position);
        }
        return narrow;
    }

    private static BigDecimal decimal(String operator, BigDecimal a, BigDecimal b, int position) {
        try {
            return switch (operator) {
                case "+" -> Numerics.checked(a.add(b));
                case "-" -> Numerics.checked(a.subtract(b));
                case "*" -> Numerics.checked(a.multiply(b));
                case "/" -> Numerics.quotient(a, b);
                default -> {
                    nonZero(b.signum(), position);
                    yield a.remainder(b);
                }
            };
        } catch (SqlError error) {
            throw error.at(position);
        }
    }
}
