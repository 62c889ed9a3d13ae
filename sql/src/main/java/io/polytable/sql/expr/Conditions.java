package io.polytable.sql.expr;

import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Comparison.Sign;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Extracts conditions on single columns from a WHERE, for key ranges. They may be weaker than the WHERE, never
 * stronger: whoever reads the ranges evaluates the whole WHERE again.
 */
public final class Conditions {
    private final ExprCompiler compiler;
    private final List<RelationColumn> columns;
    private final List<Comparison> found = new ArrayList<>();

    /** A comparison of a column with values that need no row; for IN the sign is that of equality, with several values. */
    private record Comparison(RelationColumn column, Sign sign, List<Constant> constants) {
        Optional<Condition> of(Environment given) {
            List<Object> values = new ArrayList<>(constants.size());
            for (Constant constant : constants) {
                Object value = constant.exact(column.type(), given);
                if (value == null) {
                    return Optional.empty();
                }
                values.add(value);
            }
            return Optional.of(new Condition(column.name(), sign.text(), values));
        }
    }

    private Conditions(ExprCompiler compiler, List<RelationColumn> columns) {
        this.compiler = compiler;
        this.columns = columns;
    }

    public static Conditions of(Optional<Expression> where, ExprCompiler compiler, List<RelationColumn> columns) {
        Conditions conditions = new Conditions(compiler, columns);
        where.ifPresent(conditions::visit);
        return conditions;
    }

    /** The conditions with the values that a statement was given. */
    public List<Condition> of(Environment given) {
        List<Condition> conditions = new ArrayList<>(found.size());
        for (Comparison comparison : found) {
            comparison.of(given).ifPresent(conditions::add);
        }
        return conditions;
    }

    private void visit(Expression expr) {
        if (expr instanceof Expression.Logical logical && logical.and()) {
            logical.operands().forEach(this::visit);
        } else if (expr instanceof Expression.Comparison comparison) {
            compare(comparison.sign(), comparison.left(), List.of(comparison.right()));
            compare(comparison.sign().turned(), comparison.right(), List.of(comparison.left()));
        } else if (expr instanceof Expression.Between between && !between.negated()) {
            compare(Sign.GREATER_OR_EQUAL, between.operand(), List.of(between.low()));
            compare(Sign.LESS_OR_EQUAL, between.operand(), List.of(between.high()));
        } else if (expr instanceof Expression.InList in && !in.negated()) {
            compare(Sign.EQUAL, in.operand(), in.items());
        }
    }

    private void compare(Sign sign, Expression operand, List<Expression> others) {
        boolean known = sign == Sign.EQUAL || sign.strict().isPresent();
        if (!known || !(operand instanceof Expression.Column ref)) {
            return;
        }
        Optional<RelationColumn> column =
                columns.stream().filter(each -> each.name().equals(ref.name())).findFirst();
        if (column.isEmpty()) {
            return;
        }
        List<Constant> constants = others.stream()
                .map(other -> new Constant(compiler.compile(other), other.position()))
                .toList();
        if (constants.stream().allMatch(constant -> constant.value().constant())) {
            found.add(new Comparison(column.get(), sign, constants));
        }
    }

    private record Constant(Compiled value, int position) {
        /** The constant converted to the column's type, if the conversion is exact; otherwise null. */
        @Nullable
        Object exact(SqlType type, Environment given) {
            Object own = value.value(given);
            if (own == null) {
                return null;
            }
            try {
                SqlType met = Promotions.common(type, value.type(), position);
                Object cast = Casts.to(type, own);
                boolean same = (type.isNumber() && own instanceof Number)
                        ? isSameNumber(cast, own)
                        : isOrderKept(type, met) && isSame(Casts.to(met, cast), Casts.to(met, own));
                return same ? cast : null;
            } catch (SqlError bad) {
                if (isIgnored(bad.code()) || value.type().isNumber()) {
                    return null;
                }
                throw bad.at(position);
            }
        }
    }

    /**
     * A value outside the range of the column is no error here. For incompatible types the comparison itself reports
     * the error.
     */
    private static boolean isIgnored(SqlCode code) {
        return code == SqlCode.OUT_OF_RANGE || code == SqlCode.TOO_LONG || code == SqlCode.TYPE_MISMATCH;
    }

    /**
     * Whether values keep their order in the type in which they are compared: several texts may stand for the same
     * bytes.
     */
    private static boolean isOrderKept(SqlType type, SqlType met) {
        return type.is(SqlType.Kind.BYTES) == met.is(SqlType.Kind.BYTES);
    }

    private static boolean isSameNumber(@Nullable Object cast, Object value) {
        if (value instanceof Double number && (number.isNaN() || number.isInfinite())) {
            return false;
        }
        SqlType wide = SqlType.of(SqlType.Kind.DECIMAL);
        return isSame(Casts.to(wide, cast), Casts.to(wide, value));
    }

    private static boolean isSame(@Nullable Object a, @Nullable Object b) {
        return a != null && b != null && Promotions.compare(a, b) == 0;
    }
}
