package io.polytable.sql.expr;

import io.polytable.sql.syntax.Expr;
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
    private final Functions functions;

    public ExprCompiler(Columns columns, Environment environment) {
        this.columns = columns;
        functions = new Functions(environment);
    }

    /**
     * Compiles an expression.
     *
     * @throws NotCompilable when only DuckDB evaluates it
     * @throws SqlError when it is invalid
     */
    public Compiled compile(Expr expr) {
        if (expr instanceof Expr.Literal literal) {
            Object value = literal.value();
            return new Compiled(literal.type(), (row, parameters) -> value, true);
        }
        if (expr instanceof Expr.Parameter parameter) {
            return Compiled.of(parameter);
        }
        if (expr instanceof Expr.ColumnRef ref) {
            Columns.Found found = columns.find(ref);
            int index = found.index();
            return new Compiled(found.type(), (row, parameters) -> row[index], false);
        }
        if (expr instanceof Expr.Binary binary) {
            return binary(binary);
        }
        if (expr instanceof Expr.Unary unary) {
            return unary(unary);
        }
        if (expr instanceof Expr.Cast cast) {
            return cast(cast);
        }
        if (expr instanceof Expr.Call call) {
            return call(call);
        }
        return predicate(expr);
    }

    /** Compiles a condition: true, false or NULL. */
    public Compiled condition(Expr expr) {
        Compiled compiled = compile(expr);
        if (!compiled.type().is(Kind.BOOLEAN) && !compiled.type().is(Kind.UNKNOWN)) {
            throw new SqlError(
                    SqlCode.TYPE_MISMATCH, "a condition is of type boolean, not " + compiled.type(), expr.position());
        }
        return compiled.as(SqlType.BOOLEAN);
    }

    /** Compiles a value for a column of the type; a literal that does not fit is an error at its position. */
    public Compiled compileAs(Expr expr, SqlType type) {
        Compiled compiled = compile(expr);
        if (mixesBooleanAndNumber(type, compiled.type()) && !(expr instanceof Expr.Cast)) {
            throw new SqlError(
                    SqlCode.TYPE_MISMATCH,
                    "a value of type " + type + " is expected, and the expression is of type " + compiled.type(),
                    expr.position());
        }
        if (compiled.constant() && expr instanceof Expr.Literal literal) {
            Object value = cast(type, literal.value(), expr.position());
            return new Compiled(type, (row, parameters) -> value, true);
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
            throw error.at(position);
        }
    }

    private Compiled predicate(Expr expr) {
        if (expr instanceof Expr.IsNull test) {
            Compiled operand = compile(test.operand());
            return bool(
                    operand.constant(),
                    (row, parameters) -> (operand.value(row, parameters) == null) != test.negated());
        }
        if (expr instanceof Expr.IsTruth test) {
            Compiled operand = condition(test.operand());
            return bool(
                    operand.constant(),
                    (row, parameters) ->
                            Boolean.valueOf(test.truth()).equals(operand.value(row, parameters)) != test.negated());
        }
        if (expr instanceof Expr.Between between) {
            return between(between);
        }
        if (expr instanceof Expr.InList in) {
            return in(in);
        }
        if (expr instanceof Expr.Like like) {
            return like(like);
        }
        return caseOf((Expr.Case) expr);
    }

    private static Compiled bool(boolean constant, Compiled.Compute compute) {
        return new Compiled(SqlType.BOOLEAN, compute, constant);
    }

    private Compiled unary(Expr.Unary unary) {
        if (unary.operator().equals("not")) {
            Compiled condition = condition(unary.operand());
            return bool(condition.constant(), (row, parameters) -> {
                Object value = condition.value(row, parameters);
                return value == null ? null : !(Boolean) value;
            });
        }
        Compiled operand = compile(unary.operand());
        if (!operand.type().isNumber()) {
            throw new NotCompilable("a sign before " + operand.type());
        }
        if (unary.operator().equals("+")) {
            return operand;
        }
        SqlType type = operand.type();
        Object zero = Casts.to(type, 0);
        return new Compiled(
                type,
                (row, parameters) -> {
                    Object value = operand.value(row, parameters);
                    if (value instanceof Double number) {
                        return -number;
                    }
                    return value == null || zero == null
                            ? null
                            : Arithmetic.of("-", type, zero, value, unary.position());
                },
                operand.constant());
    }

    private Compiled binary(Expr.Binary binary) {
        return switch (binary.operator()) {
            case "and" -> and(binary, false);
            case "or" -> and(binary, true);
            case "=", "<>", "<", "<=", ">", ">=" -> comparison(binary);
            case "is distinct from", "is not distinct from" -> distinct(binary);
            case "||" -> concatenation(binary);
            default -> arithmetic(binary);
        };
    }

    /** AND, or OR, which is AND with true and false swapped. */
    private Compiled and(Expr.Binary binary, boolean decisive) {
        Compiled left = condition(binary.left());
        Compiled right = condition(binary.right());
        return bool(left.constant() && right.constant(), (row, parameters) -> {
            Object a = left.value(row, parameters);
            if (a != null && (Boolean) a == decisive) {
                return decisive;
            }
            Object b = right.value(row, parameters);
            if (b != null && (Boolean) b == decisive) {
                return decisive;
            }
            return (a == null || b == null) ? null : !decisive;
        });
    }

    /** Both operands cast to their common type. */
    private record Pair(Compiled left, Compiled right, SqlType type) {}

    private Pair pair(Expr left, Expr right, int position) {
        return pair(left, compile(left), right, compile(right), position);
    }

    private Pair pair(Expr left, Compiled a, Expr right, Compiled b, int position) {
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

    private Compiled typed(Expr expr, Compiled compiled, SqlType type) {
        return expr instanceof Expr.Literal && compiled.type().is(Kind.UNKNOWN)
                ? compileAs(expr, type)
                : compiled.as(type);
    }

    private Compiled comparison(Expr.Binary binary) {
        Pair pair = pair(binary.left(), binary.right(), binary.position());
        String operator = binary.operator();
        return bool(pair.left().constant() && pair.right().constant(), (row, parameters) -> {
            Object a = pair.left().value(row, parameters);
            Object b = pair.right().value(row, parameters);
            return (a == null || b == null) ? null : holds(operator, Promotions.compare(a, b));
        });
    }

    private static boolean holds(String operator, int order) {
        return switch (operator) {
            case "=" -> order == 0;
            case "<>" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    private Compiled distinct(Expr.Binary binary) {
        Pair pair = pair(binary.left(), binary.right(), binary.position());
        boolean negated = binary.operator().startsWith("is not");
        return bool(pair.left().constant() && pair.right().constant(), (row, parameters) -> {
            Object a = pair.left().value(row, parameters);
            Object b = pair.right().value(row, parameters);
            boolean same = (a == null || b == null) ? (a == b) : (Promotions.compare(a, b) == 0);
            return same == negated;
        });
    }

    private Compiled concatenation(Expr.Binary binary) {
        Compiled left = compile(binary.left());
        Compiled right = compile(binary.right());
        if (!isConcatenable(left.type()) || !isConcatenable(right.type())) {
            throw new NotCompilable("|| of " + left.type() + " and " + right.type());
        }
        return new Compiled(
                SqlType.TEXT,
                (row, parameters) -> {
                    Object a = left.value(row, parameters);
                    Object b = right.value(row, parameters);
                    return a == null || b == null ? null : Texts.of(a) + Texts.of(b);
                },
                left.constant() && right.constant());
    }

    private static boolean isConcatenable(SqlType type) {
        return type.is(Kind.TEXT) || type.is(Kind.UNKNOWN) || type.isInteger();
    }

    private Compiled arithmetic(Expr.Binary binary) {
        // Each side is compiled once: compiling it again at every level would make a long sum exponential.
        Compiled left = compile(binary.left());
        Compiled right = compile(binary.right());
        if (isLeftToDuckDb(left.type()) || isLeftToDuckDb(right.type())) {
            throw new NotCompilable(binary.operator() + " of dates or documents");
        }
        Pair pair = pair(binary.left(), left, binary.right(), right, binary.position());
        SqlType type = pair.type();
        if (!type.isNumber()) {
            throw new NotCompilable(binary.operator() + " of " + type);
        }
        SqlType result = Promotions.result(binary.operator(), type, left.type(), right.type());
        Compiled computed = new Compiled(
                type,
                (row, parameters) -> {
                    Object a = pair.left().value(row, parameters);
                    Object b = pair.right().value(row, parameters);
                    return a == null || b == null
                            ? null
                            : Arithmetic.of(binary.operator(), type, a, b, binary.position());
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
        private final Expr expr;
        private final Compiled operand;
        private final int position;

        Shared(Expr expr, int position) {
            this.expr = expr;
            this.position = position;
            operand = compile(expr);
        }

        /** The other operand, cast to the type that both have in common. */
        Compiled with(Expr other) {
            return pair(expr, operand, other, compile(other), position).right();
        }

        @Nullable
        Object value(@Nullable Object[] row, @Nullable Object[] parameters) {
            return operand.value(row, parameters);
        }

        boolean isConstantWith(List<Compiled> others) {
            return operand.constant() && others.stream().allMatch(Compiled::constant);
        }

        /** The order of the operand's value and another's, or null if one is NULL. */
        @Nullable
        Integer order(@Nullable Object value, Compiled other, @Nullable Object[] row, @Nullable Object[] parameters) {
            Object a = operand.type().equals(other.type()) ? value : Casts.to(other.type(), value);
            Object b = other.value(row, parameters);
            return (a == null || b == null) ? null : Promotions.compare(a, b);
        }
    }

    private Compiled between(Expr.Between between) {
        Shared operand = new Shared(between.operand(), between.position());
        Compiled low = operand.with(between.low());
        Compiled high = operand.with(between.high());
        return bool(operand.isConstantWith(List.of(low, high)), (row, parameters) -> {
            Object value = operand.value(row, parameters);
            Integer above = operand.order(value, low, row, parameters);
            if (above != null && above < 0) {
                return between.negated();
            }
            Integer below = operand.order(value, high, row, parameters);
            if (below != null && below > 0) {
                return between.negated();
            }
            return (above == null || below == null) ? null : !between.negated();
        });
    }

    private Compiled in(Expr.InList in) {
        Shared operand = new Shared(in.operand(), in.position());
        List<Compiled> items = in.items().stream().map(operand::with).toList();
        return bool(operand.isConstantWith(items), (row, parameters) -> {
            Object value = operand.value(row, parameters);
            boolean unknown = false;
            for (Compiled item : items) {
                Integer order = operand.order(value, item, row, parameters);
                if (order == null) {
                    unknown = true;
                } else if (order == 0) {
                    return !in.negated();
                }
            }
            return unknown ? null : in.negated();
        });
    }

    private Compiled like(Expr.Like like) {
        Compiled operand = compile(like.operand());
        Compiled pattern = compile(like.pattern());
        boolean text = isConcatenable(operand.type()) || operand.type().is(Kind.BYTES);
        if (!text || operand.type().isInteger() || !isConcatenable(pattern.type())) {
            throw new NotCompilable("LIKE of " + operand.type());
        }
        return bool(operand.constant() && pattern.constant(), (row, parameters) -> {
            Object a = operand.value(row, parameters);
            Object b = pattern.value(row, parameters);
            if (a == null || b == null) {
                return null;
            }
            String value = Texts.of(a);
            String wanted = Texts.of(b);
            boolean found = like.caseless()
                    ? LikePattern.matches(Functions.lower(value), Functions.lower(wanted))
                    : LikePattern.matches(value, wanted);
            return found != like.negated();
        });
    }

    private Compiled cast(Expr.Cast cast) {
        Compiled operand = compile(cast.operand());
        if (cast.type().is(Kind.TEXT) && cast.type().precision() > 0) {
            return new Compiled(
                    SqlType.TEXT,
                    (row, parameters) -> Casts.explicit(cast.type(), operand.value(row, parameters)),
                    operand.constant());
        }
        if (cast.type().equals(SqlType.of(Kind.DECIMAL))) {
            return NumericCast.of(cast.operand(), operand);
        }
        if (cast.operand() instanceof Expr.Literal && !mixesBooleanAndNumber(cast.type(), operand.type())) {
            return compileAs(cast.operand(), cast.type());
        }
        boolean plain = operand.type().kind() == cast.type().kind()
                || operand.type().is(Kind.UNKNOWN)
                || operand.type().is(Kind.TEXT)
                || (operand.type().isNumber()
                        && (cast.type().isNumber() || cast.type().is(Kind.TEXT)));
        if (!plain) {
            throw new NotCompilable("a cast from " + operand.type() + " to " + cast.type());
        }
        return operand.as(cast.type());
    }

    private Compiled call(Expr.Call call) {
        List<Compiled> arguments = call.arguments().stream().map(this::compile).toList();
        return functions
                .find(call.function(), arguments, call.position())
                .orElseThrow(() -> new NotCompilable("function " + call.function()));
    }

    private Compiled caseOf(Expr.Case expr) {
        Branches branches = branches(expr);
        List<Compiled> results = new ArrayList<>();
        for (Expr.Branch branch : expr.branches()) {
            results.add(compile(branch.result()));
        }
        Expr otherwise = expr.otherwise();
        results.add(
                otherwise == null
                        ? new Compiled(SqlType.UNKNOWN, (row, parameters) -> null, true)
                        : compile(otherwise));
        SqlType type = SqlType.UNKNOWN;
        for (Compiled result : results) {
            type = Promotions.choice(type, result.type(), expr.position());
        }
        SqlType met = type.is(Kind.UNKNOWN) ? SqlType.TEXT : type;
        List<Compiled> typed = results.stream().map(result -> result.as(met)).toList();
        return new Compiled(
                met,
                (row, parameters) -> typed.get(branches.taken(row, parameters)).value(row, parameters),
                false);
    }

    /** The branches of CASE. */
    @FunctionalInterface
    private interface Branches {
        /** The index of the first branch whose condition holds; their number if none does. */
        int taken(@Nullable Object[] row, @Nullable Object[] parameters);
    }

    private Branches branches(Expr.Case expr) {
        Expr subject = expr.subject();
        if (subject == null) {
            List<Compiled> conditions = expr.branches().stream()
                    .map(branch -> condition(branch.condition()))
                    .toList();
            return (row, parameters) -> {
                int i = 0;
                while (i < conditions.size() && !conditions.get(i).holds(row, parameters)) {
                    i++;
                }
                return i;
            };
        }
        Shared shared = new Shared(subject, expr.position());
        List<Compiled> others = expr.branches().stream()
                .map(branch -> shared.with(branch.condition()))
                .toList();
        return (row, parameters) -> {
            Object value = shared.value(row, parameters);
            int i = 0;
            while (i < others.size() && !isZero(shared.order(value, others.get(i), row, parameters))) {
                i++;
            }
            return i;
        };
    }

    private static boolean isZero(@Nullable Integer order) {
        return order != null && order == 0;
    }
}
