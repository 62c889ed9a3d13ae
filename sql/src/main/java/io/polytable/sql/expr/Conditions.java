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
    private final @Nullable Object[] parameters;
    private final List<Condition> found = new ArrayList<>();

    private Conditions(ExprCompiler compiler, List<RelationColumn> columns, @Nullable Object[] parameters) {
        this.compiler = compiler;
        this.columns = columns;
        this.parameters = parameters;
    }

    public static List<Condition> of(
            Expression where, ExprCompiler compiler, List<RelationColumn> columns, @Nullable Object[] parameters) {
        Conditions conditions = new Conditions(compiler, columns, parameters);
        conditions.visit(where);
        return conditions.found;
    }

    private void visit(Expression expr) {
        if (expr instanceof Expression.Logical logical && logical.and()) {
            logical.operands().forEach(this::visit);
        } else if (expr instanceof Expression.Comparison comparison) {
            compare(comparison.sign(), comparison.left(), comparison.right());
            compare(comparison.sign().turned(), comparison.right(), comparison.left());
        } else if (expr instanceof Expression.Between between && !between.negated()) {
            compare(Sign.GREATER_OR_EQUAL, between.operand(), between.low());
            compare(Sign.LESS_OR_EQUAL, between.operand(), between.high());
        } else if (expr instanceof Expression.InList in && !in.negated()) {
            in(in);
        }
    }

    private void compare(Sign sign, Expression left, Expression right) {
        boolean known = sign == Sign.EQUAL || sign.strict().isPresent();
        if (known && left instanceof Expression.Column ref) {
            Optional<RelationColumn> column = column(ref);
            column.flatMap(named -> exact(named.type(), right))
                    .ifPresent(value -> found.add(new Condition(ref.name(), sign.text(), List.of(value))));
        }
    }

    private Optional<RelationColumn> column(Expression.Column ref) {
        return columns.stream()
                .filter(column -> column.name().equals(ref.name()))
                .findFirst();
    }

    private void in(Expression.InList in) {
        if (!(in.operand() instanceof Expression.Column ref)) {
            return;
        }
        Optional<RelationColumn> column = column(ref);
        if (column.isEmpty()) {
            return;
        }
        List<Object> values = new ArrayList<>();
        for (Expression item : in.items()) {
            Optional<Object> value = exact(column.get().type(), item);
            if (value.isEmpty()) {
                return;
            }
            values.add(value.get());
        }
        found.add(new Condition(ref.name(), "=", values));
    }

    /** The constant converted to the column's type, if the conversion is exact. */
    private Optional<Object> exact(SqlType type, Expression expr) {
        Compiled compiled = compiler.compile(expr);
        if (!compiled.constant()) {
            return Optional.empty();
        }
        Object value = compiled.value(parameters);
        if (value == null) {
            return Optional.empty();
        }
        try {
            SqlType met = Promotions.common(type, compiled.type(), expr.position());
            Object cast = Casts.to(type, value);
            boolean same = (type.isNumber() && value instanceof Number)
                    ? isSameNumber(cast, value)
                    : isOrderKept(type, met) && isSame(Casts.to(met, cast), Casts.to(met, value));
            return same ? Optional.ofNullable(cast) : Optional.empty();
        } catch (SqlError bad) {
            if (isIgnored(bad.code()) || compiled.type().isNumber()) {
                return Optional.empty();
            }
            throw bad.at(expr.position());
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
