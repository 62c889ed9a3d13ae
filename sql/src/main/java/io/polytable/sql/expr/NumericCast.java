package io.polytable.sql.expr;

import io.polytable.sql.type.Numerics;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.SqlType.Kind;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The cast to NUMERIC without digits. */
final class NumericCast {
    private NumericCast() {}

    /**
     * NUMERIC without digits keeps those of the operand: of a constant its own, otherwise those of its type.
     *
     * @param literal the value of the operand, if it is a literal
     */
    static Compiled of(Compiled operand, @Nullable Object literal) {
        SqlType from = operand.type();
        if (from.is(Kind.DECIMAL)) {
            return operand;
        }
        if (from.isInteger()) {
            return operand.as(SqlType.decimal(SqlType.DECIMAL_DIGITS_MAX, 0));
        }
        if (!from.isFloating() && !from.is(Kind.TEXT) && !from.is(Kind.UNKNOWN)) {
            throw new NotCompilable("a cast from " + from + " to NUMERIC");
        }
        if (literal != null) {
            BigDecimal number = Numerics.literal(literal);
            return new Compiled(SqlType.of(number), (row, given) -> number, true);
        }
        return new Compiled(
                Numerics.QUOTIENT,
                (row, given) -> Numerics.of(operand.value(row, given), from.isFloating()),
                operand.constant());
    }
}
