package io.polytable.sql.expr;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Comparison.Sign;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.SqlType.Kind;
import io.polytable.sql.type.Texts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles expressions: resolves columns and types once, so that each row costs only the evaluation. */
public final class ExprCompiler {
    private final Columns columns;

    public ExprCompiler(Columns columns) {
        this.columns = columns;
    }

    /**
     * Compiles an expression.
     *
     * @throws NotCompilable when only DuckDB evaluates it
     * @throws SqlError when it is invalid
     */
    public Compiled compile(Expression expr) {
        if (expr instanceof Expression.Constant literal) {
            return Literals.of(literal);
        }
        if (expr instanceof Expression.Parameter parameter) {
            return Compiled.of(parameter);
        }
        if (expr instanceof Expression.Column ref) {
            return column(columns.find(ref));
        }
        if (expr instanceof Expression.Comparison comparison) {
            return comparison(comparison);
        }
        if (expr instanceof Expression.Logical logical) {
            return logical(logical);
        }
        if (expr instanceof Expression.Operator operator) {
            return operator(operator);
        }
        if (expr instanceof Expression.Cast cast) {
            return cast(cast);
        }
        if (expr instanceof Expression.Call call) {
            return call(call);
        }
        return predicate(expr);
    }

    private static Compiled column(Columns.Found found) {
        int index = found.index();
        return new Compiled(found.type(), (row, given) -> row[index], false);
    }

    /** A column of {@code *} or {@code table.*}. */
    public record Shown(String name, Compiled value) {}

    public List<Shown> star(Expression.Star star) {
        if (!star.without().isEmpty() || !star.replaced().isEmpty()) {
            throw new NotCompilable("* without some columns");
        }
        return columns.shown(star.table(), star.position()).stream()
                .map(found -> new Shown(found.name(), column(found)))
                .toList();
    }

    /** Compiles a condition: true, false or NULL. */
    public Compiled condition(Expression expr) {
        Compiled compiled = compile(expr);
        if (!compiled.type().is(Kind.BOOLEAN) && !compiled.type().is(Kind.UNKNOWN)) {
            throw new SqlError(
                    SqlCode.TYPE_MISMATCH, "a condition is of type boolean, not " + compiled.type(), expr.position());
        }
        return compiled.as(SqlType.BOOLEAN);
    }

    /** Compiles a value for a column of the type; a literal that does not fit is an error at its position. */
    public Compiled compileAs(Expression expr, SqlType type) {
        Compiled compiled = compile(expr);
        if (mixesBooleanAndNumber(type, compiled.type()) && !(expr instanceof Expression.Cast)) {
            throw new SqlError(
                    SqlCode.TYPE_MISMATCH,
                    "a value of type " + type + " is expected, and the expression is of type " + compiled.type(),
                    expr.position());
        }
        if (expr instanceof Expression.Constant) {
            Object value = cast(type, compiled.value(Environment.NONE), expr.position());
            return new Compiled(type, (row, given) -> value, true);
        }
        return compiled.as(type);
    }

    /** Numbers and booleans do not convert to each other without a cast. */
    private static boolean mixesBooleanAndNumber(SqlType a, SqlType b) {
        return (a.is(Kind.BOOLEAN) && b.isNumber()) || (b.is(Kind.BOOLEAN) && a.isNumber());
    }

    private static @Nullable Object cast(SqlType type, @Nullable Object value, int position) {
        try {
            return Casts.to(type, value);
        } catch (SqlError error) {
            // Queries compare with infinite dates, which only DuckDB has.
            if (error.code() == SqlCode.UNSUPPORTED) {
                throw new NotCompilable(error.text());
            }
            throw error.at(position);
        }
    }

    private Compiled predicate(Expression expr) {
        if (expr instanceof Expression.Not not) {
            return not(not);
        }
        if (expr instanceof Expression.IsNull test) {
            Compiled operand = compile(test.operand());
            return bool(operand.constant(), (row, given) -> (operand.value(row, given) == null) != test.negated());
        }
        if (expr instanceof Expression.Between between) {
            return between(between);
        }
        if (expr instanceof Expression.InList in) {
            return in(in);
        }
        if (expr instanceof Expression.Case choice) {
            return caseOf(choice);
        }
        throw new NotCompilable("an expression that needs a query");
    }

    private static Compiled bool(boolean constant, Compiled.Compute compute) {
        return new Compiled(SqlType.BOOLEAN, compute, constant);
    }

    private Compiled not(Expression.Not not) {
        Compiled condition = condition(not.operand());
        return bool(condition.constant(), (row, given) -> {
            Object value = condition.value(row, given);
            return value == null ? null : !(Boolean) value;
        });
    }

    private Compiled signed(Expression.Operator sign) {
        Compiled operand = compile(sign.left());
        if (!operand.type().isNumber()) {
            throw new NotCompilable("a sign before " + operand.type());
        }
        if (sign.symbol().equals("+")) {
            return operand;
        }
        SqlType type = operand.type();
        Object zero = Casts.to(type, 0);
        return new Compiled(
                type,
                (row, given) -> {
                    Object value = operand.value(row, given);
                    if (value instanceof Double number) {
                        return -number;
                    }
                    return value == null || zero == null
                            ? null
                            : Arithmetic.of("-", type, zero, value, sign.position());
                },
                operand.constant());
    }

    private Compiled operator(Expression.Operator operator) {
        boolean sign = operator.symbol().equals("-") || operator.symbol().equals("+");
        if (operator.isUnary() && sign) {
            return signed(operator);
        }
        if (!operator.isBinary()) {
            throw new NotCompilable("operator " + operator.symbol());
        }
        return switch (operator.symbol()) {
            case "||" -> concatenation(operator);
            case "+", "-", "*", "/", "%" -> arithmetic(operator);
            case "~~" -> like(operator, false, false);
            case "!~~" -> like(operator, false, true);
            case "~~*" -> like(operator, true, false);
            case "!~~*" -> like(operator, true, true);
            default -> throw new NotCompilable("operator " + operator.symbol());
        };
    }

    /** AND, or OR, which is AND with true and false swapped. */
    private Compiled logical(Expression.Logical logical) {
        boolean decisive = !logical.and();
        List<Compiled> operands =
                logical.operands().stream().map(this::condition).toList();
        return bool(operands.stream().allMatch(Compiled::constant), (row, given) -> {
            boolean unknown = false;
            for (Compiled operand : operands) {
                Object value = operand.value(row, given);
                if (value == null) {
                    unknown = true;
                } else if ((Boolean) value == decisive) {
                    return decisive;
                }
            }
            return unknown ? null : !decisive;
        });
    }

    /** Both operands cast to their common type. */
    private record Pair(Compiled left, Compiled right, SqlType type) {}

    private Pair pair(Expression left, Expression right, int position) {
        return pair(left, compile(left), right, compile(right), position);
    }

    private Pair pair(Expression left, Compiled a, Expression right, Compiled b, int position) {
        SqlType type = operandType(a.type(), b.type(), position);
        SqlType met = type.is(Kind.UNKNOWN) ? SqlType.TEXT : type;
        return new Pair(typed(left, a, met), typed(right, b, met), met);
    }

    private static SqlType operandType(SqlType a, SqlType b, int position) {
        try {
            return Promotions.common(a, b, position);
        } catch (SqlError apart) {
            throw new SqlError(
                    SqlCode.UNDEFINED_FUNCTION, "there is no operator for types " + a + " and " + b, position);
        }
    }

    private Compiled typed(Expression expr, Compiled compiled, SqlType type) {
        return expr instanceof Expression.Constant && compiled.type().is(Kind.UNKNOWN)
                ? compileAs(expr, type)
                : compiled.as(type);
    }

    private Compiled comparison(Expression.Comparison comparison) {
        Sign sign = comparison.sign();
        if (sign == Sign.DISTINCT || sign == Sign.NOT_DISTINCT) {
            return distinct(comparison, sign == Sign.NOT_DISTINCT);
        }
        Pair pair = pair(comparison.left(), comparison.right(), comparison.position());
        return bool(pair.left().constant() && pair.right().constant(), (row, given) -> {
            Object a = pair.left().value(row, given);
            Object b = pair.right().value(row, given);
            return (a == null || b == null) ? null : holds(sign, Promotions.compare(a, b));
        });
    }

    private static boolean holds(Sign sign, int order) {
        return switch (sign) {
            case EQUAL, NOT_DISTINCT -> order == 0;
            case NOT_EQUAL, DISTINCT -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    private Compiled distinct(Expression.Comparison comparison, boolean negated) {
        Pair pair = pair(comparison.left(), comparison.right(), comparison.position());
        return bool(pair.left().constant() && pair.right().constant(), (row, given) -> {
            Object a = pair.left().value(row, given);
            Object b = pair.right().value(row, given);
            boolean same = (a == null || b == null) ? (a == b) : (Promotions.compare(a, b) == 0);
            return same == negated;
        });
    }

    private Compiled concatenation(Expression.Operator binary) {
        Compiled left = compile(binary.left());
        Compiled right = compile(binary.right());
        if (!isConcatenable(left.type()) || !isConcatenable(right.type())) {
            throw new NotCompilable("|| of " + left.type() + " and " + right.type());
        }
        return new Compiled(
                SqlType.TEXT,
                (row, given) -> {
                    Object a = left.value(row, given);
                    Object b = right.value(row, given);
                    return a == null || b == null ? null : Texts.of(a) + Texts.of(b);
                },
                left.constant() && right.constant());
    }

    private static boolean isConcatenable(SqlType type) {
        return type.is(Kind.TEXT) || type.is(Kind.UNKNOWN) || type.isInteger();
    }

    private Compiled arithmetic(Expression.Operator binary) {
        // Each side is compiled once: compiling it again at every level would make a long sum exponential.
        Compiled left = compile(binary.left());
        Compiled right = compile(binary.right());
        if (isLeftToDuckDb(left.type()) || isLeftToDuckDb(right.type())) {
            throw new NotCompilable(binary.symbol() + " of dates or documents");
        }
        Pair pair = pair(binary.left(), left, binary.right(), right, binary.position());
        SqlType type = pair.type();
        if (!type.isNumber()) {
            throw new NotCompilable(binary.symbol() + " of " + type);
        }
        SqlType result = Promotions.result(binary.symbol(), type, left.type(), right.type());
        Compiled computed = new Compiled(
                type,
                (row, given) -> {
                    Object a = pair.left().value(row, given);
                    Object b = pair.right().value(row, given);
                    return a == null || b == null
                            ? null
                            : Arithmetic.of(binary.symbol(), type, a, b, binary.position());
                },
                pair.left().constant() && pair.right().constant());
        return computed.as(result);
    }

    /** {@code date + 1} and {@code json - 'key'} have operands without a common type. */
    private static boolean isLeftToDuckDb(SqlType type) {
        return switch (type.kind()) {
            case DATE, TIME, TIMESTAMP, JSON -> true;
            case BOOLEAN, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DECIMAL, TEXT, BYTES, UUID, UNKNOWN -> false;
        };
    }

    /**
     * An operand that is compared with several others. It is compiled once, and computed once a row: doing either for
     * each comparison would make nested expressions exponential.
     */
    private final class Shared {
        private final Expression expr;
        private final Compiled operand;
        private final int position;

        Shared(Expression expr, int position) {
            this.expr = expr;
            this.position = position;
            operand = compile(expr);
        }

        /** The other operand, cast to the type that both have in common. */
        Compiled with(Expression other) {
            return pair(expr, operand, other, compile(other), position).right();
        }

        @Nullable
        Object value(@Nullable Object[] row, Environment given) {
            return operand.value(row, given);
        }

        boolean isConstantWith(List<Compiled> others) {
            return operand.constant() && others.stream().allMatch(Compiled::constant);
        }

        /** The order of the operand's value and another's, or null if one is NULL. */
        @Nullable
        Integer order(@Nullable Object value, Compiled other, @Nullable Object[] row, Environment given) {
            Object a = operand.type().equals(other.type()) ? value : Casts.to(other.type(), value);
            Object b = other.value(row, given);
            return (a == null || b == null) ? null : Promotions.compare(a, b);
        }
    }

    private Compiled between(Expression.Between between) {
        Shared operand = new Shared(between.operand(), between.position());
        Compiled low = operand.with(between.low());
        Compiled high = operand.with(between.high());
        return bool(operand.isConstantWith(List.of(low, high)), (row, given) -> {
            Object value = operand.value(row, given);
            Integer above = operand.order(value, low, row, given);
            if (above != null && above < 0) {
                return between.negated();
            }
            Integer below = operand.order(value, high, row, given);
            if (below != null && below > 0) {
                return between.negated();
            }
            return (above == null || below == null) ? null : !between.negated();
        });
    }

    private Compiled in(Expression.InList in) {
        Shared operand = new Shared(in.operand(), in.position());
        List<Compiled> items = in.items().stream().map(operand::with).toList();
        return bool(operand.isConstantWith(items), (row, given) -> {
            Object value = operand.value(row, given);
            boolean unknown = false;
            for (Compiled item : items) {
                Integer order = operand.order(value, item, row, given);
                if (order == null) {
                    unknown = true;
                } else if (order == 0) {
                    return !in.negated();
                }
            }
            return unknown ? null : in.negated();
        });
    }

    private Compiled like(Expression.Operator like, boolean caseless, boolean negated) {
        Compiled operand = compile(like.left());
        Compiled pattern = compile(like.right());
        boolean text = isConcatenable(operand.type()) || operand.type().is(Kind.BYTES);
        if (!text || operand.type().isInteger() || !isConcatenable(pattern.type())) {
            throw new NotCompilable("LIKE of " + operand.type());
        }
        return bool(operand.constant() && pattern.constant(), (row, given) -> {
            Object a = operand.value(row, given);
            Object b = pattern.value(row, given);
            if (a == null || b == null) {
                return null;
            }
            String value = Texts.of(a);
            String wanted = Texts.of(b);
            boolean found = caseless
                    ? LikePattern.matches(Functions.lower(value), Functions.lower(wanted))
                    : LikePattern.matches(value, wanted);
            return found != negated;
        });
    }

    private Compiled cast(Expression.Cast cast) {
        SqlType type = Literals.type(cast.type());
        Compiled operand = compile(cast.operand());
        boolean literal = cast.operand() instanceof Expression.Constant;
        if (cast.tried()) {
            throw new NotCompilable("TRY_CAST");
        }
        if (type.is(Kind.TEXT) && type.precision() > 0) {
            return new Compiled(
                    SqlType.TEXT, (row, given) -> Casts.explicit(type, operand.value(row, given)), operand.constant());
        }
        if (type.equals(SqlType.of(Kind.DECIMAL))) {
            return NumericCast.of(operand, literal ? operand.value(Environment.NONE) : null);
        }
        if (literal && !mixesBooleanAndNumber(type, operand.type())) {
            return compileAs(cast.operand(), type);
        }
        boolean plain = operand.type().kind() == type.kind()
                || operand.type().is(Kind.UNKNOWN)
                || operand.type().is(Kind.TEXT)
                || (operand.type().isNumber() && (type.isNumber() || type.is(Kind.TEXT)));
        if (!plain) {
            throw new NotCompilable("a cast from " + operand.type() + " to " + type);
        }
        return operand.as(type);
    }

    private Compiled call(Expression.Call call) {
        if (!call.isPlain()) {
            throw new NotCompilable("function " + call.function() + " with clauses of its own");
        }
        List<Compiled> arguments = call.values().stream().map(this::compile).toList();
        return Functions.find(call.function(), arguments, call.position())
                .orElseThrow(() -> new NotCompilable("function " + call.function()));
    }

    private Compiled caseOf(Expression.Case expr) {
        Branches branches = branches(expr);
        List<Compiled> results = new ArrayList<>();
        for (Expression.Case.Branch branch : expr.branches()) {
            results.add(compile(branch.result()));
        }
        results.add(expr.otherwise()
                .map(this::compile)
                .orElseGet(() -> new Compiled(SqlType.UNKNOWN, (row, given) -> null, true)));
        SqlType type = SqlType.UNKNOWN;
        for (Compiled result : results) {
            type = Promotions.choice(type, result.type(), expr.position());
        }
        SqlType met = type.is(Kind.UNKNOWN) ? SqlType.TEXT : type;
        List<Compiled> typed = results.stream().map(result -> result.as(met)).toList();
        return new Compiled(
                met, (row, given) -> typed.get(branches.taken(row, given)).value(row, given), false);
    }

    /** The branches of CASE. */
    @FunctionalInterface
    private interface Branches {
        /** The index of the first branch whose condition holds; their number if none does. */
        int taken(@Nullable Object[] row, Environment given);
    }

    private Branches branches(Expression.Case expr) {
        if (expr.subject().isEmpty()) {
            List<Compiled> conditions = expr.branches().stream()
                    .map(branch -> condition(branch.condition()))
                    .toList();
            return (row, given) -> {
                int i = 0;
                while (i < conditions.size() && !conditions.get(i).holds(row, given)) {
                    i++;
                }
                return i;
            };
        }
        Shared shared = new Shared(expr.subject().get(), expr.position());
        List<Compiled> others = expr.branches().stream()
                .map(branch -> shared.with(branch.condition()))
                .toList();
        return (row, given) -> {
            Object value = shared.value(row, given);
            int i = 0;
            while (i < others.size() && !isZero(shared.order(value, others.get(i), row, given))) {
                i++;
            }
            return i;
        };
    }

    private static boolean isZero(@Nullable Integer order) {
        return order != null && order == 0;
    }
}
