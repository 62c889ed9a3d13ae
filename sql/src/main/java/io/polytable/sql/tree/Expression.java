package io.polytable.sql.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A value in a query. */
public sealed interface Expression {
    At at();

    /** The offset in the statement. */
    default int position() {
        return at().offset();
    }

    /** A copy whose direct subexpressions are changed; queries inside it stay as they are. */
    Expression map(UnaryOperator<Expression> change);

    /** The direct subexpressions. */
    default List<Expression> children() {
        List<Expression> children = new ArrayList<>();
        Expression unused = map(child -> {
            children.add(child);
            return child;
        });
        return children;
    }

    /** Whether this or one of its subexpressions is such; queries inside it are not searched. */
    default boolean has(Predicate<Expression> such) {
        return such.test(this) || children().stream().anyMatch(child -> child.has(such));
    }

    /** Whether it refers to a column of that name, whatever its qualifier; queries inside it are not searched. */
    default boolean names(String column) {
        return has(part -> part instanceof Column named && named.name().equals(column));
    }

    static List<Expression> mapped(List<Expression> all, UnaryOperator<Expression> change) {
        return all.stream().map(change).toList();
    }

    /** A literal. */
    record Constant(Kind kind, String text, At at) implements Expression {
        public enum Kind {
            NULL,
            BOOLEAN,
            /** Digits only, and a sign. */
            INTEGER,
            /** A number with a point or an exponent. */
            NUMBER,
            STRING
        }

        public static Constant of(int number) {
            return new Constant(Kind.INTEGER, Integer.toString(number), At.NOWHERE);
        }

        public static Constant of(String text) {
            return new Constant(Kind.STRING, text, At.NOWHERE);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return this;
        }
    }

    /** Whether an expression is a literal of that kind. */
    static boolean isConstant(Expression expression, Constant.Kind kind) {
        return expression instanceof Constant constant && constant.kind() == kind;
    }

    /** A parameter by its number, from 1, or one of the times that a statement may ask for. */
    record Parameter(int number, At at) implements Expression {
        /** The time at which the transaction began. */
        public static final int NOW = 0;

        /** The time at which the statement began. */
        public static final int STATEMENT_TIME = -1;

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return this;
        }
    }

    /** A column, optionally qualified by its table and namespace. */
    record Column(List<String> path, At at) implements Expression {
        public Column {
            path = List.copyOf(path);
        }

        public Column(String name, At at) {
            this(List.of(name), at);
        }

        public String name() {
            return path.get(path.size() - 1);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return this;
        }
    }

    /** {@code *} or {@code table.*}, without some columns and with some replaced. */
    record Star(Optional<String> table, List<List<String>> without, List<Query.Item> replaced, At at)
            implements Expression {
        public Star {
            without = List.copyOf(without);
            replaced = List.copyOf(replaced);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return replaced.isEmpty()
                    ? this
                    : new Star(
                            table,
                            without,
                            replaced.stream().map(item -> item.map(change)).toList(),
                            at);
        }
    }

    /** An argument of a function, which may be named. */
    record Argument(Optional<String> name, Expression value) {
        public static Argument of(Expression value) {
            return new Argument(Optional.empty(), value);
        }
    }

    /**
     * A call of a function.
     *
     * @param orders the ORDER BY of an aggregate, or of its WITHIN GROUP
     */
    record Call(
            String function,
            List<Argument> arguments,
            boolean distinct,
            List<Order> orders,
            boolean withinGroup,
            Optional<Expression> filter,
            boolean ignoreNulls,
            Optional<Window> over,
            At at)
            implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
            orders = List.copyOf(orders);
        }

        public static Call of(String function, At at, Expression... arguments) {
            return of(function, at, List.of(arguments));
        }

        public static Call of(String function, At at, List<Expression> arguments) {
            return new Call(
                    function,
                    arguments.stream().map(Argument::of).toList(),
                    false,
                    List.of(),
                    false,
                    Optional.empty(),
                    false,
                    Optional.empty(),
                    at);
        }

        public int size() {
            return arguments.size();
        }

        /** Whether it has nothing but arguments without names. */
        public boolean isPlain() {
            return !distinct
                    && orders.isEmpty()
                    && filter.isEmpty()
                    && !ignoreNulls
                    && over.isEmpty()
                    && arguments.stream().allMatch(argument -> argument.name().isEmpty());
        }

        public Expression argument(int index) {
            return arguments.get(index).value();
        }

        public Call named(String other) {
            return new Call(other, arguments, distinct, orders, withinGroup, filter, ignoreNulls, over, at);
        }

        public Call with(List<Expression> others) {
            return withArguments(others.stream().map(Argument::of).toList());
        }

        public Call withArguments(List<Argument> others) {
            return new Call(function, others, distinct, orders, withinGroup, filter, ignoreNulls, over, at);
        }

        /** The call with one argument replaced, which keeps its name. */
        public Call withArgument(int index, Expression value) {
            List<Argument> changed = new ArrayList<>(arguments);
            changed.set(index, new Argument(arguments.get(index).name(), value));
            return withArguments(changed);
        }

        public Call with(List<Order> others, boolean group) {
            return new Call(function, arguments, distinct, others, group, filter, ignoreNulls, over, at);
        }

        public List<Expression> values() {
            return arguments.stream().map(Argument::value).toList();
        }

        @Override
        public Call map(UnaryOperator<Expression> change) {
            return new Call(
                    function,
                    arguments.stream()
                            .map(each -> new Argument(each.name(), change.apply(each.value())))
                            .toList(),
                    distinct,
                    orders.stream().map(order -> order.map(change)).toList(),
                    withinGroup,
                    filter.map(change),
                    ignoreNulls,
                    over.map(window -> window.map(change)),
                    at);
        }
    }

    /** An operator before its operand or between two. */
    record Operator(String symbol, List<Expression> operands, At at) implements Expression {
        public Operator {
            operands = List.copyOf(operands);
        }

        public Operator(String symbol, Expression left, Expression right, At at) {
            this(symbol, List.of(left, right), at);
        }

        public boolean isBinary() {
            return operands.size() == 2;
        }

        public boolean isUnary() {
            return operands.size() == 1;
        }

        public Expression left() {
            return operands.get(0);
        }

        public Expression right() {
            return operands.get(1);
        }

        @Override
        public Operator map(UnaryOperator<Expression> change) {
            return new Operator(symbol, mapped(operands, change), at);
        }
    }

    /** A comparison of two values. */
    record Comparison(Sign sign, Expression left, Expression right, At at) implements Expression {
        public enum Sign {
            EQUAL("="),
            NOT_EQUAL("<>"),
            LESS("<"),
            LESS_OR_EQUAL("<="),
            GREATER(">"),
            GREATER_OR_EQUAL(">="),
            DISTINCT("IS DISTINCT FROM"),
            NOT_DISTINCT("IS NOT DISTINCT FROM");

            private final String text;

            Sign(String text) {
                this.text = text;
            }

            public String text() {
                return text;
            }

            /** The sign of the same comparison with its sides exchanged. */
            public Sign turned() {
                return switch (this) {
                    case LESS -> GREATER;
                    case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
                    case GREATER -> LESS;
                    case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
                    case EQUAL, NOT_EQUAL, DISTINCT, NOT_DISTINCT -> this;
                };
            }

            /** Whether it orders its sides; then its sign without equality. */
            public Optional<Sign> strict() {
                return switch (this) {
                    case LESS, LESS_OR_EQUAL -> Optional.of(LESS);
                    case GREATER, GREATER_OR_EQUAL -> Optional.of(GREATER);
                    case EQUAL, NOT_EQUAL, DISTINCT, NOT_DISTINCT -> Optional.empty();
                };
            }
        }

        public static Comparison equal(Expression left, Expression right, At at) {
            return new Comparison(Sign.EQUAL, left, right, at);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Comparison(sign, change.apply(left), change.apply(right), at);
        }
    }

    record Between(Expression operand, Expression low, Expression high, boolean negated, At at) implements Expression {
        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Between(change.apply(operand), change.apply(low), change.apply(high), negated, at);
        }
    }

    record InList(Expression operand, List<Expression> items, boolean negated, At at) implements Expression {
        public InList {
            items = List.copyOf(items);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new InList(change.apply(operand), mapped(items, change), negated, at);
        }
    }

    /** AND or OR of two or more conditions. */
    record Logical(boolean and, List<Expression> operands, At at) implements Expression {
        public Logical {
            operands = List.copyOf(operands);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Logical(and, mapped(operands, change), at);
        }
    }

    record Not(Expression operand, At at) implements Expression {
        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Not(change.apply(operand), at);
        }
    }

    record IsNull(Expression operand, boolean negated, At at) implements Expression {
        @Override
        public IsNull map(UnaryOperator<Expression> change) {
            return new IsNull(change.apply(operand), negated, at);
        }
    }

    /** A CASE. With a subject, the conditions of the branches are values that it is compared with. */
    record Case(Optional<Expression> subject, List<Branch> branches, Optional<Expression> otherwise, At at)
            implements Expression {
        public Case {
            branches = List.copyOf(branches);
        }

        /** {@code WHEN ... THEN ...}. */
        public record Branch(Expression condition, Expression result) {}

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Case(
                    subject.map(change),
                    branches.stream()
                            .map(each -> new Branch(change.apply(each.condition()), change.apply(each.result())))
                            .toList(),
                    otherwise.map(change),
                    at);
        }
    }

    /** A cast; one that is tried gives NULL instead of an error. */
    record Cast(Expression operand, TypeName type, boolean tried, At at) implements Expression {
        public Cast(Expression operand, TypeName type, At at) {
            this(operand, type, false, at);
        }

        @Override
        public Cast map(UnaryOperator<Expression> change) {
            return new Cast(change.apply(operand), type, tried, at);
        }
    }

    /** A query as a value. */
    record Subquery(Form form, Query query, At at) implements Expression {
        public enum Form {
            SCALAR,
            EXISTS,
            ARRAY
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return this;
        }
    }

    /** A comparison with the rows of a query: ANY, ALL, or IN, which is {@code = ANY}. */
    record Quantified(Expression operand, Comparison.Sign sign, boolean all, Query query, At at) implements Expression {
        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Quantified(change.apply(operand), sign, all, query, at);
        }
    }

    record Lambda(List<String> parameters, Expression body, At at) implements Expression {
        public Lambda {
            parameters = List.copyOf(parameters);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Lambda(parameters, change.apply(body), at);
        }
    }

    /** A list: {@code ARRAY[1, 2]} or {@code [1, 2]}. */
    record Listing(List<Expression> items, At at) implements Expression {
        public Listing {
            items = List.copyOf(items);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Listing(mapped(items, change), at);
        }
    }

    record Row(List<Expression> items, At at) implements Expression {
        public Row {
            items = List.copyOf(items);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Row(mapped(items, change), at);
        }
    }

    /** {@code list[index]}. */
    record Element(Expression operand, Expression index, At at) implements Expression {
        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Element(change.apply(operand), change.apply(index), at);
        }
    }

    /** {@code list[from:to]}. */
    record Slice(Expression operand, Optional<Expression> from, Optional<Expression> to, At at) implements Expression {
        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Slice(change.apply(operand), from.map(change), to.map(change), at);
        }
    }

    /** {@code (row).name}. */
    record Field(Expression operand, String name, At at) implements Expression {
        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Field(change.apply(operand), name, at);
        }
    }

    record Collated(Expression operand, String collation, At at) implements Expression {
        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new Collated(change.apply(operand), collation, at);
        }
    }

    /** {@code GROUPING(a, b)}: which of the values are grouped in a row of grouping sets. */
    record GroupingMask(List<Expression> items, At at) implements Expression {
        public GroupingMask {
            items = List.copyOf(items);
        }

        @Override
        public Expression map(UnaryOperator<Expression> change) {
            return new GroupingMask(mapped(items, change), at);
        }
    }
}
