package io.polytable.sql.expr;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import org.jspecify.annotations.Nullable;

/**
 * A compiled expression.
 *
 * @param constant whether it needs no row, so that it has one value for a whole statement
 */
public record Compiled(SqlType type, Compute compute, boolean constant) {
    /** Computes a value from a row and what the statement was given. */
    @FunctionalInterface
    public interface Compute {
        @Nullable
        Object of(@Nullable Object[] row, Environment given);
    }

    private static final @Nullable Object[] NO_ROW = {};

    static Compiled of(Expression.Parameter parameter) {
        int index = parameter.number() - 1;
        return new Compiled(
                SqlType.UNKNOWN,
                (row, given) -> {
                    if (index >= given.parameters().length) {
                        throw new SqlError(
                                SqlCode.UNDEFINED_PARAMETER,
                                "there is no parameter $" + (index + 1),
                                parameter.position());
                    }
                    return given.parameters()[index];
                },
                true);
    }

    public @Nullable Object value(@Nullable Object[] row, Environment given) {
        return compute.of(row, given);
    }

    /** The value of a constant. */
    public @Nullable Object value(Environment given) {
        return compute.of(NO_ROW, given);
    }

    /** Whether it is true; NULL counts as false. */
    public boolean holds(@Nullable Object[] row, Environment given) {
        return Boolean.TRUE.equals(compute.of(row, given));
    }

    /** The expression cast to another type. */
    public Compiled as(SqlType wanted) {
        return type.equals(wanted)
                ? this
                : new Compiled(wanted, (row, given) -> Casts.to(wanted, compute.of(row, given)), constant);
    }
}
