package io.polytable.sql.expr;

import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.TypeName;
import io.polytable.sql.type.Numerics;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.math.BigDecimal;
import java.math.BigInteger;

/** The values of literals, and the types of casts that we evaluate ourselves. */
final class Literals {
    private static final int LONG_DIGITS_SURE = 18;
    private static final int CHARS_MAX = 100;

    private Literals() {}

    static Compiled of(Constant constant) {
        String text = constant.text();
        return switch (constant.kind()) {
            case NULL -> new Compiled(SqlType.UNKNOWN, (row, given) -> null, true);
            case BOOLEAN -> compiled(SqlType.BOOLEAN, Boolean.valueOf(text));
            // Its type is unknown until its context determines one.
            case STRING -> compiled(SqlType.UNKNOWN, text);
            case INTEGER -> whole(text, constant.position());
            case NUMBER -> number(text, constant.position());
        };
    }

    private static Compiled compiled(SqlType type, Object value) {
        return new Compiled(type, (row, given) -> value, true);
    }

    private static Compiled whole(String digits, int position) {
        if (digits.length() <= LONG_DIGITS_SURE) {
            return whole(Long.parseLong(digits));
        }
        BigInteger number = digits.length() > CHARS_MAX ? BigInteger.ONE.shiftLeft(Long.SIZE) : new BigInteger(digits);
        return number.bitLength() < Long.SIZE ? whole(number.longValue()) : number(digits, position);
    }

    private static Compiled whole(long number) {
        return number == (int) number ? compiled(SqlType.INT, (int) number) : compiled(SqlType.BIGINT, number);
    }

    private static Compiled number(String digits, int position) {
        if (digits.length() > CHARS_MAX || !digits.chars().allMatch(c -> c < 'A' || c == 'e' || c == 'E')) {
            throw new NotCompilable("the number " + digits);
        }
        if (digits.indexOf('e') >= 0 || digits.indexOf('E') >= 0) {
            return compiled(SqlType.DOUBLE, Double.valueOf(digits));
        }
        if (Numerics.digits(digits) > SqlType.DECIMAL_DIGITS_MAX) {
            throw new SqlError(
                    SqlCode.OUT_OF_RANGE, "a number has at most " + SqlType.DECIMAL_DIGITS_MAX + " digits", position);
        }
        BigDecimal number = new BigDecimal(digits);
        return compiled(SqlType.of(number), number);
    }

    /** NUMERIC without digits bounds a column's values, but a cast keeps all digits. */
    static SqlType type(TypeName name) {
        if (name.dimensions() > 0) {
            throw new NotCompilable("a cast to " + name);
        }
        return switch (name.duck()) {
            case "BOOLEAN" -> SqlType.BOOLEAN;
            case "SMALLINT" -> SqlType.SMALLINT;
            case "INTEGER" -> SqlType.INT;
            case "BIGINT" -> SqlType.BIGINT;
            case "REAL" -> SqlType.FLOAT;
            case "DOUBLE" -> SqlType.DOUBLE;
            case "DECIMAL" ->
                name.digits().isEmpty()
                        ? SqlType.of(SqlType.Kind.DECIMAL)
                        : SqlType.decimal(name.digits().get(0), name.digits().get(1));
            case "VARCHAR" ->
                name.digits().isEmpty()
                        ? SqlType.TEXT
                        : SqlType.text(name.digits().get(0));
            case "BLOB" -> SqlType.BYTES;
            case "JSON" -> SqlType.JSON;
            case "DATE" -> SqlType.DATE;
            case "TIME", "TIME WITH TIME ZONE" -> SqlType.TIME;
            // With or without a time zone it is the same type, an instant.
            case "TIMESTAMP", "TIMESTAMP WITH TIME ZONE" -> SqlType.TIMESTAMP;
            case "UUID" -> SqlType.UUID;
            default -> throw new NotCompilable("a cast to " + name);
        };
    }
}
