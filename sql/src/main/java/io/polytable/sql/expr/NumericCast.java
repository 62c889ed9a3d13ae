package io.polytable.sql.expr;

import io.polytable.sql.syntax.Expr;
import io.polytable.sql.type.Numerics;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.SqlType.Kind;
import java.math.BigDecimal;

/** The cast to NUMERIC without digits. */
final class NumericCast {
    private NumericCast() {}

    /** NUMERIC without digits keeps those of the operand: of a constant its own, otherwise those of its type. */
    static Compiled of(Expr expr, Compiled operand) {
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
        if (expr instanceof Expr.Literal literal && literal.value() != null) {
            BigDecimal number = Numerics.literal(literal.value());
            return new Compiled(SqlType.of(number), (row, parameters) -> number, true);
        }
        return new Compiled(
                Numerics.QUOTIENT,
                (row, parameters) -> Numerics.of(operand.value(row, parameters), from.isFloating()),
                operand.constant());
    }
}
