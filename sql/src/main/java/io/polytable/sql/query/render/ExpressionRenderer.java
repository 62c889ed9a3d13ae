package io.polytable.sql.query.render;

import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Order;
import io.polytable.sql.tree.Window;
import java.util.List;
import java.util.stream.Collectors;

/** Prints values. */
final class ExpressionRenderer {
    private final Renderer out;

    ExpressionRenderer(Renderer out) {
        this.out = out;
    }

    void print(Expression expression) {
        if (expression instanceof Expression.Constant constant) {
            constant(constant);
        } else if (expression instanceof Expression.Column column) {
            out.print(column.path().stream().map(Quoted::name).collect(Collectors.joining(".")));
        } else if (expression instanceof Expression.Parameter parameter) {
            out.parameter(parameter.number());
        } else if (expression instanceof Expression.Call call) {
            call(call);
        } else if (expression instanceof Expression.Operator operator) {
            operator(operator);
        } else if (expression instanceof Expression.Cast cast) {
            out.print(cast.tried() ? "TRY_CAST(" : "CAST(").value(cast.operand());
            out.print(" AS ").print(cast.type().text()).print(")");
        } else if (expression instanceof Expression.Star star) {
            star(star);
        } else if (!condition(expression)) {
            composed(expression);
        }
    }

    /** Prints a condition; false if the expression is none. */
    private boolean condition(Expression expression) {
        if (expression instanceof Expression.Comparison comparison) {
            infix(comparison.left(), comparison.sign().text(), comparison.right());
        } else if (expression instanceof Expression.Logical logical) {
            out.print("(");
            out.each(logical.operands(), logical.and() ? " AND " : " OR ", out::value);
            out.print(")");
        } else if (expression instanceof Expression.Not not) {
            out.print("(NOT ").value(not.operand());
            out.print(")");
        } else if (expression instanceof Expression.IsNull test) {
            out.print("(").value(test.operand());
            out.print(test.negated() ? " IS NOT NULL)" : " IS NULL)");
        } else if (expression instanceof Expression.Between between) {
            out.print("(").value(between.operand());
            out.print(between.negated() ? " NOT BETWEEN " : " BETWEEN ").value(between.low());
            out.print(" AND ").value(between.high());
            out.print(")");
        } else if (expression instanceof Expression.InList in) {
            out.print("(").value(in.operand());
            out.print(in.negated() ? " NOT IN " : " IN ");
            list("(", in.items(), "))");
        } else if (expression instanceof Expression.Quantified quantified) {
            quantified(quantified);
        } else {
            return false;
        }
        return true;
    }

    private void composed(Expression expression) {
        if (expression instanceof Expression.Case choice) {
            choice(choice);
        } else if (expression instanceof Expression.Subquery subquery) {
            out.print(
                    switch (subquery.form()) {
                        case SCALAR -> "(";
                        case EXISTS -> "EXISTS (";
                        case ARRAY -> "ARRAY (";
                    });
            out.query(subquery.query());
            out.print(")");
        } else if (expression instanceof Expression.Listing listing) {
            list("[", listing.items(), "]");
        } else if (expression instanceof Expression.Row row) {
            list("ROW(", row.items(), ")");
        } else if (expression instanceof Expression.GroupingMask mask) {
            list("GROUPING(", mask.items(), ")");
        } else if (expression instanceof Expression.Element element) {
            out.print("(").value(element.operand());
            list(")[", List.of(element.index()), "]");
        } else if (expression instanceof Expression.Slice slice) {
            out.print("(").value(slice.operand());
            out.print(")[");
            slice.from().ifPresent(out::value);
            out.print(":");
            slice.to().ifPresent(out::value);
            out.print("]");
        } else if (expression instanceof Expression.Field field) {
            out.name("struct_extract").print("(").value(field.operand());
            out.print(", ").print(string(field.name())).print(")");
        } else if (expression instanceof Expression.Collated collated) {
            out.print("(").value(collated.operand());
            out.print(" COLLATE ").name(collated.collation()).print(")");
        } else if (expression instanceof Expression.Lambda lambda) {
            out.print("lambda ")
                    .print(lambda.parameters().stream().map(Quoted::name).collect(Collectors.joining(", ")))
                    .print(": ")
                    .value(lambda.body());
        }
    }

    private void list(String open, List<Expression> items, String close) {
        out.print(open);
        out.each(items, ", ", out::value);
        out.print(close);
    }

    private void infix(Expression left, String symbol, Expression right) {
        out.print("(").value(left);
        out.print(" ").print(symbol).print(" ").value(right);
        out.print(")");
    }

    private void constant(Expression.Constant constant) {
        String text = constant.text();
        switch (constant.kind()) {
            case NULL -> out.print("NULL");
            case BOOLEAN -> out.print(text);
            case INTEGER, NUMBER -> out.print(text.startsWith("-") ? "(" + text + ")" : text);
            case STRING -> out.print(string(text));
        }
    }

    /** A string literal. Its only special character is the quote: everything else stands for itself. */
    static String string(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private void operator(Expression.Operator operator) {
        if (operator.isBinary()) {
            infix(operator.left(), operator.symbol(), operator.right());
        } else {
            // The space keeps two signs from becoming a comment or another operator.
            out.print("(").print(operator.symbol()).print(" ").value(operator.left());
            out.print(")");
        }
    }

    private void star(Expression.Star star) {
        star.table().ifPresent(table -> out.name(table).print("."));
        out.print("*");
        if (!star.without().isEmpty()) {
            out.print(" EXCLUDE (")
                    .print(star.without().stream()
                            .map(path -> path.stream().map(Quoted::name).collect(Collectors.joining(".")))
                            .collect(Collectors.joining(", ")))
                    .print(")");
        }
        if (!star.replaced().isEmpty()) {
            out.print(" REPLACE (");
            out.each(star.replaced(), ", ", out::item);
            out.print(")");
        }
    }

    private void quantified(Expression.Quantified quantified) {
        out.print("(").value(quantified.operand());
        out.print(" ").print(quantified.sign().text()).print(quantified.all() ? " ALL (" : " ANY (");
        out.query(quantified.query());
        out.print("))");
    }

    private void choice(Expression.Case choice) {
        out.print("CASE");
        choice.subject().ifPresent(subject -> out.print(" ").value(subject));
        for (Expression.Case.Branch branch : choice.branches()) {
            out.print(" WHEN ").value(branch.condition());
            out.print(" THEN ").value(branch.result());
        }
        choice.otherwise().ifPresent(otherwise -> out.print(" ELSE ").value(otherwise));
        out.print(" END");
    }

    // --- calls -----------------------------------------------------------------------------------------------------

    private void call(Expression.Call call) {
        if (call.function().equals("count_star")) {
            out.print("count(*");
        } else if (call.function().equals("coalesce")) {
            out.print("COALESCE(");
        } else {
            out.name(call.function()).print("(");
        }
        out.print(call.distinct() ? "DISTINCT " : "");
        out.each(call.arguments(), ", ", argument -> {
            argument.name().ifPresent(name -> out.name(name).print(" := "));
            out.value(argument.value());
        });
        if (!call.orders().isEmpty() && !call.withinGroup()) {
            out.print(" ");
            orderBy(call.orders());
        }
        out.print(call.ignoreNulls() ? " IGNORE NULLS)" : ")");
        if (call.withinGroup()) {
            out.print(" WITHIN GROUP (");
            orderBy(call.orders());
            out.print(")");
        }
        call.filter().ifPresent(filter -> {
            out.print(" FILTER (WHERE ").value(filter);
            out.print(")");
        });
        call.over().ifPresent(window -> {
            out.print(" OVER ");
            window(window);
        });
    }

    void orderBy(List<Order> orders) {
        out.print("ORDER BY ");
        out.each(orders, ", ", order -> {
            out.value(order.value());
            out.print(order.descending() ? " DESC" : "");
            order.nullsFirst().ifPresent(first -> out.print(first ? " NULLS FIRST" : " NULLS LAST"));
        });
    }

    void window(Window window) {
        if (window.bare()) {
            out.name(window.base().orElseThrow());
            return;
        }
        out.print("(");
        window.base().ifPresent(base -> out.name(base).print(" "));
        if (!window.partitions().isEmpty()) {
            out.print("PARTITION BY ");
            out.each(window.partitions(), ", ", out::value);
            out.print(" ");
        }
        if (!window.orders().isEmpty()) {
            orderBy(window.orders());
            out.print(" ");
        }
        window.frame().ifPresent(this::frame);
        out.print(")");
    }

    private void frame(Window.Frame frame) {
        out.print(frame.unit().name()).print(" BETWEEN ");
        bound(frame.start());
        out.print(" AND ");
        bound(frame.end());
        out.print(
                switch (frame.exclusion()) {
                    case NONE -> "";
                    case CURRENT_ROW -> " EXCLUDE CURRENT ROW";
                    case GROUP -> " EXCLUDE GROUP";
                    case TIES -> " EXCLUDE TIES";
                });
    }

    private void bound(Window.Bound bound) {
        if (bound instanceof Window.Bound.Unbounded unbounded) {
            out.print(unbounded.preceding() ? "UNBOUNDED PRECEDING" : "UNBOUNDED FOLLOWING");
        } else if (bound instanceof Window.Bound.Distance distance) {
            out.value(distance.value());
            out.print(distance.preceding() ? " PRECEDING" : " FOLLOWING");
        } else {
            out.print("CURRENT ROW");
        }
    }
}
