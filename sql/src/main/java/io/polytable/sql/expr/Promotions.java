package io.polytable.sql.expr;

import io.polytable.sql.type.Numerics;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.SqlType.Kind;
import io.polytable.table.Bytes;
import java.math.BigDecimal;
import java.util.UUID;

/** The common type of two operands, and the comparison of two values of one type. */
final class Promotions {
    private Promotions() {}

    static SqlType common(SqlType a, SqlType b, int position) {
        if (a.is(Kind.UNKNOWN) || b.is(Kind.UNKNOWN)) {
            return (a.is(Kind.UNKNOWN) ? b : a).unbounded();
        }
        if (a.isNumber() && b.isNumber()) {
            return number(a, b);
        }
        if (a.kind() == b.kind()) {
            return a.unbounded();
        }
        if (either(a, b, Kind.DATE) && either(a, b, Kind.TIMESTAMP)) {
            return SqlType.TIMESTAMP;
        }
        if (either(a, b, Kind.TEXT) && either(a, b, Kind.BYTES)) {
            return SqlType.BYTES;
        }
        if (either(a, b, Kind.TEXT) && either(a, b, Kind.JSON)) {
            return SqlType.TEXT;
        }
        throw new SqlError(SqlCode.TYPE_MISMATCH, "types " + a + " and " + b + " cannot be compared", position);
    }

    /** The type of a value that is one of several, such as that of COALESCE: a DECIMAL has the digits that all fit in. */
    static SqlType choice(SqlType a, SqlType b, int position) {
        if (a.is(Kind.UNKNOWN) || b.is(Kind.UNKNOWN)) {
            SqlType known = a.is(Kind.UNKNOWN) ? b : a;
            return known.is(Kind.DECIMAL) ? known : known.unbounded();
        }
        SqlType common = common(a, b, position);
        return common.is(Kind.DECIMAL) && digits(a) > 0 && digits(b) > 0
                ? SqlType.boundedDecimal(
                        Math.max(digits(a) - a.scale(), digits(b) - b.scale()), Math.max(a.scale(), b.scale()))
                : common;
    }

    private static boolean either(SqlType a, SqlType b, Kind kind) {
        return a.is(kind) || b.is(kind);
    }

    private static SqlType number(SqlType a, SqlType b) {
        if (a.isFloating() || b.isFloating()) {
            return a.is(Kind.FLOAT) && b.is(Kind.FLOAT) ? SqlType.FLOAT : SqlType.DOUBLE;
        }
        if (either(a, b, Kind.DECIMAL)) {
            return SqlType.of(Kind.DECIMAL);
        }
        if (either(a, b, Kind.BIGINT)) {
            return SqlType.BIGINT;
        }
        return either(a, b, Kind.INT) ? SqlType.INT : SqlType.SMALLINT;
    }

    /**
     * The type of a sum, difference, product, quotient or remainder that is computed as {@code met}. A DECIMAL gets the digits that
     * any result fits in, exactly; none if an operand has no bounds.
     */
    static SqlType result(String operator, SqlType met, SqlType a, SqlType b) {
        if (met.is(Kind.DECIMAL) && operator.equals("/")) {
            return Numerics.QUOTIENT;
        }
        if (!met.is(Kind.DECIMAL) || digits(a) == 0 || digits(b) == 0) {
            return met;
        }
        int whole = Math.max(digits(a) - a.scale(), digits(b) - b.scale());
        int scale = Math.max(a.scale(), b.scale());
        return switch (operator) {
            case "*" -> SqlType.boundedDecimal(digits(a) - a.scale() + digits(b) - b.scale(), a.scale() + b.scale());
            case "%" -> SqlType.boundedDecimal(whole, scale);
            default -> SqlType.boundedDecimal(whole + 1, scale);
        };
    }

    private static int digits(SqlType type) {
        return switch (type.kind()) {
            case SMALLINT -> 5;
            case INT -> 10;
            case BIGINT -> 19;
            case DECIMAL -> type.precision();
            default -> 0;
        };
    }

    /** Compares two values of one type. Text compares by code points, like keys. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static int compare(Object a, Object b) {
        if (a instanceof String left && b instanceof String right) {
            return compareText(left, right);
        }
        if (a instanceof Double || a instanceof Float) {
            double left = ((Number) a).doubleValue();
            double right = ((Number) b).doubleValue();
            return left == right ? 0 : Double.compare(left, right);
        }
        if (a instanceof BigDecimal left && b instanceof BigDecimal right) {
            return left.compareTo(right);
        }
        if (a instanceof UUID left && b instanceof UUID right) {
            int high = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
            return high != 0
                    ? high
                    : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
        }
        return ((Comparable) a).compareTo(b);
    }

    private static int compareText(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            if (a.charAt(i) != b.charAt(i)) {
                // Surrogates sort below U+E000 to U+FFFF in UTF-16, but not in UTF-8.
                return Character.isSurrogate(a.charAt(i)) || Character.isSurrogate(b.charAt(i))
                        ? Bytes.utf8(a).compareTo(Bytes.utf8(b))
                        : Character.compare(a.charAt(i), b.charAt(i));
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
