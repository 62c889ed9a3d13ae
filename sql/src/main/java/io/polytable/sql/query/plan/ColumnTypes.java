package io.polytable.sql.query.plan;

import io.polytable.sql.query.dialect.Literals;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Cast;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Expression.Operator;
import io.polytable.sql.tree.TypeName;
import io.polytable.sql.type.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Gives arithmetic with columns of tables PostgreSQL's types, which are also those of our own evaluator: a REAL with
 * another number is computed as DOUBLE, a literal beside a SMALLINT is an INT, and a product of DECIMALs has the digits
 * of both. DuckDB would keep the narrower type, and lose digits or overflow.
 */
final class ColumnTypes {
    private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "%");

    /** Calls that arithmetic becomes, with the operands first. */
    private static final Set<String> QUOTIENTS = Set.of("pg_quotient", "pg_product", "pg_minus");

    /** Functions whose result has the common type of their arguments. */
    private static final Set<String> CHOICES = Set.of("coalesce", "greatest", "least");

    /** Functions whose result is text, after the dialect named them. */
    private static final Set<String> TEXTS = Set.of(
            "pg_cast_text",
            "pg_cast_text_once",
            "lower",
            "upper",
            "trim",
            "btrim",
            "ltrim",
            "rtrim",
            "left",
            "right",
            "replace",
            "concat",
            "substring",
            "substr",
            "split_part",
            "pg_split_part",
            "pg_substring",
            "pg_substring_from",
            "regexp_replace",
            "string_agg");

    private static final TypeName DOUBLE = new TypeName("DOUBLE", "float8");

    /** The widest DECIMAL that DuckDB multiplies as a 64-bit number. */
    private static final int NARROW_DIGITS = 18;

    private final JoinScope scope;

    ColumnTypes(JoinScope scope) {
        this.scope = scope;
    }

    Expression apply(Expression expression) {
        if (expression instanceof Operator operator && operator.isBinary() && ARITHMETIC.contains(operator.symbol())) {
            List<Expression> operands = integers(reals(operator.operands()));
            return new Operator(
                    operator.symbol(), operator.symbol().equals("*") ? widened(operands) : operands, operator.at());
        }
        if (expression instanceof Call call && call.size() > 1 && QUOTIENTS.contains(call.function())) {
            List<Expression> operands = reals(call.values().subList(0, 2));
            return call.withArgument(0, operands.get(0)).withArgument(1, operands.get(1));
        }
        if (expression instanceof Call call && CHOICES.contains(call.function())) {
            return call.with(reals(call.values()));
        }
        if (expression instanceof Cast cast
                && !cast.tried()
                && Literals.differs(cast.type())
                && isText(cast.operand())) {
            Expression text =
                    Call.of("pg_input", cast.at(), Constant.of(cast.type().duck()), cast.operand());
            return new Cast(text, cast.type(), cast.at());
        }
        if (expression instanceof Cast cast
                && cast.type().is(TypeName.TIME)
                && is(cast.operand(), SqlType.Kind.TIMESTAMP)) {
            // DuckDB has no cast from a time with a zone.
            return new Cast(
                    new Cast(cast.operand(), TypeName.TIMESTAMP, cast.at()), cast.type(), cast.tried(), cast.at());
        }
        return expression instanceof Expression.Case choice ? choice(choice) : expression;
    }

    /** Whether a value is certainly text that DuckDB would convert by its own rules. */
    private boolean isText(Expression value) {
        if (value instanceof Cast cast) {
            return cast.type().is(TypeName.TEXT) && cast.type().dimensions() == 0;
        }
        if (value instanceof Operator operator) {
            return operator.symbol().equals("->>");
        }
        return value instanceof Call call ? TEXTS.contains(call.function()) : is(value, SqlType.Kind.TEXT);
    }

    private Expression choice(Expression.Case choice) {
        List<Expression> results = new ArrayList<>();
        choice.branches().forEach(branch -> results.add(branch.result()));
        choice.otherwise().ifPresent(results::add);
        List<Expression> typed = reals(results);
        List<Expression.Case.Branch> branches = new ArrayList<>();
        for (int i = 0; i < choice.branches().size(); i++) {
            branches.add(new Expression.Case.Branch(choice.branches().get(i).condition(), typed.get(i)));
        }
        Optional<Expression> otherwise = choice.otherwise().map(unused -> typed.get(typed.size() - 1));
        return new Expression.Case(choice.subject(), branches, otherwise, choice.at());
    }

    private boolean isReal(Expression value) {
        return is(value, SqlType.Kind.FLOAT);
    }

    private boolean is(Expression value, SqlType.Kind kind) {
        return scope.typeOf(value).filter(type -> type.is(kind)).isPresent();
    }

    /** Columns of type REAL as DOUBLE, unless all values with a type are such. */
    private List<Expression> reals(List<Expression> values) {
        boolean mixed = values.stream().anyMatch(this::isReal)
                && values.stream().anyMatch(value -> !isReal(value) && !isUntyped(value));
        return mixed
                ? Expression.mapped(values, value -> isReal(value) ? new Cast(value, DOUBLE, value.at()) : value)
                : values;
    }

    private static boolean isUntyped(Expression value) {
        return value instanceof Expression.Parameter
                || Expression.isConstant(value, Constant.Kind.STRING)
                || Expression.isConstant(value, Constant.Kind.NULL);
    }

    private List<Expression> integers(List<Expression> operands) {
        boolean small = operands.stream().anyMatch(value -> is(value, SqlType.Kind.SMALLINT));
        return small
                ? Expression.mapped(
                        operands,
                        value -> Expression.isConstant(value, Constant.Kind.INTEGER) && isInt((Constant) value)
                                ? new Cast(value, TypeName.INTEGER, value.at())
                                : value)
                : operands;
    }

    private static boolean isInt(Constant constant) {
        return constant.text().length() < 10;
    }

    /** One operand with more digits than DuckDB multiplies as a 64-bit number, if the product may need them. */
    private List<Expression> widened(List<Expression> operands) {
        int digits = operands.stream()
                .mapToInt(operand ->
                        scope.typeOf(operand).map(ColumnTypes::digits).orElse(0))
                .sum();
        List<Expression> wide = new ArrayList<>(operands);
        for (int i = 0; i < wide.size() && digits > NARROW_DIGITS; i++) {
            Optional<SqlType> type = scope.typeOf(wide.get(i))
                    .filter(each -> each.is(SqlType.Kind.DECIMAL) && each.precision() <= NARROW_DIGITS);
            if (type.isPresent()) {
                TypeName wider = TypeName.decimal(NARROW_DIGITS + 1, type.get().scale());
                wide.set(i, new Cast(wide.get(i), wider, wide.get(i).at()));
                return wide;
            }
        }
        return wide;
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
}
