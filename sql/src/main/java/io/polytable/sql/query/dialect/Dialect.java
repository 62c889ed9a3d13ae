package io.polytable.sql.query.dialect;

import io.polytable.sql.syntax.JsonPath;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Cast;
import io.polytable.sql.tree.Expression.Comparison;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Expression.Operator;
import io.polytable.sql.tree.Expression.Row;
import io.polytable.sql.tree.Order;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Rewriter;
import io.polytable.sql.tree.TypeName;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Rewrites expressions where PostgreSQL gives the same text another meaning than DuckDB: casts of literals, row
 * comparisons, set-returning functions. {@link FunctionShapes} does the same for functions. Queries inside an expression
 * are left alone.
 */
public final class Dialect {
    private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "%");

    /** Aggregates whose result depends on the order of their input. */
    private static final Set<String> ORDERED = Set.of("array_agg", "list", "string_agg", "json_agg", "jsonb_agg");

    private static final Pattern WHOLE = Pattern.compile("\\d{1,18}");
    private static final Pattern NUMBER = Pattern.compile("[-+]?[\\d.]+([eE][-+]?\\d+)?");

    private static final String AS_TEXT = "pg_cast_text";

    private final boolean exact;

    /** @param exact whether quotients and averages of decimals are decimals; otherwise they are of type DOUBLE */
    public Dialect(boolean exact) {
        this.exact = exact;
    }

    /** Whether DuckDB may reject the query because it does not know the type of an operand. */
    public static boolean needsTypes(Query query) {
        boolean[] found = {false};
        Query unused = new Rewriter() {
            @Override
            protected Expression expression(Expression expression) {
                found[0] |= expression instanceof Call call && call.function().equals(NumericShapes.KIND);
                return super.expression(expression);
            }
        }.query(query);
        return found[0];
    }

    /** An item of a select list, with PostgreSQL's name for its column. */
    public Query.Item apply(Query.Item item) {
        // Before any rewriting: PostgreSQL names a column after the expression as written.
        Query.Item named = ResultNames.named(item);
        boolean series = item.value() instanceof Call call && call.function().equals("generate_series");
        Expression value = series ? Call.of("unnest", item.value().at(), item.value()) : item.value();
        return new Query.Item(apply(value), named.alias());
    }

    public Expression apply(Expression expression) {
        return one(expression).map(this::apply);
    }

    private Expression one(Expression expression) {
        if (expression instanceof Cast cast) {
            return cast(cast);
        }
        if (expression instanceof Constant constant) {
            return NumericShapes.literal(constant);
        }
        if (expression instanceof Comparison) {
            return compareRows((Comparison) MixedLiterals.apply(expression));
        }
        if (expression instanceof Expression.Between || expression instanceof Expression.InList) {
            return MixedLiterals.apply(expression);
        }
        if (expression instanceof Expression.IsNull test) {
            return nullRow(test);
        }
        if (expression instanceof Operator operator) {
            return operator(operator);
        }
        return expression instanceof Call call ? call(call) : expression;
    }

    private Expression call(Call call) {
        if (call.over().isPresent()) {
            return mean(call);
        }
        Call ordered = withoutConstantOrder(call);
        if (ORDERED.contains(call.function()) && call.size() > 0) {
            ordered = distinctInOrder(ordered);
        }
        Expression divided = exact ? NumericShapes.operator(ordered, call.function(), ordered.values()) : ordered;
        return divided instanceof Call result ? mean(result) : divided;
    }

    private Expression mean(Call call) {
        return exact ? NumericShapes.mean(call) : call;
    }

    /** A constant orders nothing, and DuckDB rejects it. */
    private static Call withoutConstantOrder(Call call) {
        List<Order> orders = call.orders().stream()
                .filter(order -> call.withinGroup() || !(order.value() instanceof Constant))
                .toList();
        return orders.size() == call.orders().size() ? call : call.with(orders, false);
    }

    /** PostgreSQL sorts to find distinct values, and the result shows that order. */
    private static Call distinctInOrder(Call call) {
        return call.distinct() && call.orders().isEmpty() && !(call.argument(0) instanceof Constant)
                ? call.with(List.of(Order.ascending(call.argument(0))), false)
                : call;
    }

    // --- operators ---------------------------------------------------------------------------------------------------

    private Expression operator(Operator written) {
        Operator operator = path(written);
        if (!operator.isBinary()) {
            return operator;
        }
        if (operator.symbol().equals("||")) {
            Expression joined = ListOperands.apply(operator);
            if (!(joined instanceof Operator)) {
                return joined;
            }
        }
        if (isJson(operator.left()) || isJson(operator.right())) {
            return ofDocuments(operator);
        }
        Operator changed = operator;
        if (ARITHMETIC.contains(operator.symbol())) {
            Expression left = number(operator.left(), operator.right());
            Expression right = number(operator.right(), left);
            changed = new Operator(operator.symbol(), daysBetween(left), daysBetween(right), operator.at());
        }
        return exact ? NumericShapes.operator(changed, changed.symbol(), changed.operands()) : changed;
    }

    /** {@code #>} with a constant path, as an arrow with a JSON pointer. */
    private static Operator path(Operator operator) {
        boolean path = operator.isBinary()
                && (operator.symbol().equals("#>") || operator.symbol().equals("#>>"))
                && operator.right() instanceof Constant;
        if (!path || !(operator.right() instanceof Constant constant) || constant.kind() != Constant.Kind.STRING) {
            return operator;
        }
        String pointer = JsonPath.pointer(JsonPath.steps(constant.text()));
        Constant steps = new Constant(Constant.Kind.STRING, pointer, constant.at());
        return new Operator(operator.symbol().equals("#>") ? "->" : "->>", operator.left(), steps, operator.at());
    }

    private static boolean isJson(Expression value) {
        return JsonArrows.isDocument(value)
                || (value instanceof Cast cast && cast.type().is("JSON"));
    }

    /** An operator one of whose operands is a JSON document. */
    public static Expression ofDocuments(Operator operator) {
        Expression left = operator.left();
        Expression right = operator.right();
        return switch (operator.symbol()) {
            case "@>" -> Call.of("json_contains", operator.at(), left, right);
            case "<@" -> Call.of("json_contains", operator.at(), right, left);
            case "||" -> new Operator(Operators.CONCATENATION, left, right, operator.at());
            case "-" -> new Operator(Operators.REMOVAL, left, right, operator.at());
            default -> operator;
        };
    }

    /** The difference of two dates is an INT that a date can be added to; DuckDB's is a BIGINT. */
    private static Expression daysBetween(Expression operand) {
        return operand instanceof Operator operator
                        && operator.isBinary()
                        && operator.symbol().equals("-")
                        && !NumericShapes.isUnrepeatable(operand)
                ? Call.of("pg_minus", operator.at(), operator.operands())
                : operand;
    }

    /** A quoted number in arithmetic with a value that is no string is that number. */
    private static Expression number(Expression literal, Expression other) {
        boolean text = Expression.isConstant(literal, Constant.Kind.STRING)
                && !Expression.isConstant(other, Constant.Kind.STRING);
        if (!text || !(literal instanceof Constant constant)) {
            return literal;
        }
        if (WHOLE.matcher(constant.text()).matches()) {
            return new Constant(Constant.Kind.INTEGER, constant.text(), constant.at());
        }
        boolean wrong = Expression.isConstant(other, Constant.Kind.INTEGER)
                && !NUMBER.matcher(constant.text()).matches();
        if (wrong) {
            throw new SqlError(
                    SqlCode.INVALID_VALUE,
                    "invalid input syntax for type integer: \"" + constant.text() + "\"",
                    constant.at().offset());
        }
        return literal;
    }

    // --- casts -----------------------------------------------------------------------------------------------------

    private Expression cast(Cast cast) {
        if (NumericShapes.isUnbounded(cast)) {
            return NumericShapes.cast(cast, exact);
        }
        Expression operand = cast.operand();
        if (operand instanceof Constant constant && constant.kind() == Constant.Kind.STRING && !cast.tried()) {
            operand = Literals.of(constant, cast.type());
        } else if (isToText(cast) && !hasText(operand)) {
            operand = asText(operand, AS_TEXT);
        }
        List<Integer> digits = cast.type().digits();
        boolean bounded = cast.type().is(TypeName.TEXT) && !digits.isEmpty();
        if (!bounded) {
            return new Cast(operand, cast.type(), cast.tried(), cast.at());
        }
        Cast unbounded = new Cast(operand, cast.type().withDigits(List.of()), cast.tried(), cast.at());
        return Call.of("left", cast.at(), unbounded, Constant.of(digits.get(0)));
    }

    private static boolean isToText(Expression value) {
        return value instanceof Cast cast && cast.type().is(TypeName.TEXT) && !cast.tried();
    }

    /** Whether a value's text needs no function of ours. */
    private static boolean hasText(Expression value) {
        return isToText(value)
                || value instanceof Expression.Parameter
                || (value instanceof Call call && call.function().startsWith(AS_TEXT));
    }

    /** Wraps a value in a macro, which repeats its argument; a costly one goes to the variant that evaluates once. */
    static Expression asText(Expression value, String macro) {
        boolean call = value instanceof Call || value instanceof Operator;
        boolean small = isLeaf(value) || (call && value.children().stream().allMatch(Dialect::isLeaf));
        return Call.of(small ? macro : macro + "_once", value.at(), value);
    }

    private static boolean isLeaf(Expression value) {
        return value instanceof Expression.Column || value instanceof Constant || value instanceof Expression.Parameter;
    }

    // --- rows ------------------------------------------------------------------------------------------------------

    /** Compares rows value by value: equal if all pairs are, NULL if a pair is unknown and no other pair decides. */
    private static Expression compareRows(Comparison comparison) {
        boolean rows = comparison.left() instanceof Row left
                && comparison.right() instanceof Row right
                && !left.items().isEmpty()
                && left.items().size() == right.items().size();
        if (!rows) {
            return comparison;
        }
        int width = ((Row) comparison.left()).items().size();
        boolean equal = comparison.sign() == Comparison.Sign.EQUAL;
        if (comparison.sign().strict().isPresent()) {
            return orderRows(comparison, comparison.sign().strict().get(), width);
        }
        if (!equal && comparison.sign() != Comparison.Sign.NOT_EQUAL) {
            return comparison;
        }
        List<Expression> pairs = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            pairs.add(pair(comparison, i, comparison.sign()));
        }
        return pairs.size() == 1 ? pairs.get(0) : new Expression.Logical(equal, pairs, comparison.at());
    }

    /** Orders rows by the first pair of values that differ: {@code a < c OR (a = c AND b < d)}. */
    private static Expression orderRows(Comparison comparison, Comparison.Sign strict, int width) {
        Expression whole = pair(comparison, width - 1, comparison.sign());
        for (int i = width - 2; i >= 0; i--) {
            Expression same = new Expression.Logical(
                    true, List.of(pair(comparison, i, Comparison.Sign.EQUAL), whole), comparison.at());
            whole = new Expression.Logical(false, List.of(pair(comparison, i, strict), same), comparison.at());
        }
        return whole;
    }

    private static Comparison pair(Comparison comparison, int index, Comparison.Sign sign) {
        return new Comparison(
                sign,
                ((Row) comparison.left()).items().get(index),
                ((Row) comparison.right()).items().get(index),
                comparison.at());
    }

    /** A row IS NULL if all its values are, and IS NOT NULL if none of them is. */
    private static Expression nullRow(Expression.IsNull test) {
        if (!(test.operand() instanceof Row row) || row.items().isEmpty()) {
            return test;
        }
        List<Expression> tests = row.items().stream()
                .<Expression>map(item -> new Expression.IsNull(item, test.negated(), test.at()))
                .toList();
        return tests.size() == 1 ? tests.get(0) : new Expression.Logical(true, tests, test.at());
    }
}
