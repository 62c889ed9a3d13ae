package io.polytable.sql.command.plan;

import io.polytable.sql.query.dialect.ResultNames;
import io.polytable.sql.syntax.Name;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Comparison.Sign;
import io.polytable.sql.tree.Order;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A SELECT from one table without anything that needs a planner.
 *
 * @param orderBy the columns of ORDER BY
 */
public record PlainSelect(
        List<Query.Item> items,
        Name table,
        Optional<String> alias,
        Optional<Expression> where,
        List<OrderColumn> orderBy,
        Optional<Expression> limit,
        Optional<Expression> offset) {

    public record OrderColumn(String name, boolean descending) {}

    public static Optional<PlainSelect> of(Query query) {
        boolean plain = query.with().isEmpty()
                && !query.orderByAll()
                && query.body() instanceof Query.Select select
                && select.distinct().isEmpty()
                && select.groups().isEmpty()
                && !select.groupByAll()
                && select.having().isEmpty()
                && select.windows().isEmpty()
                && select.qualify().isEmpty();
        if (!plain) {
            return Optional.empty();
        }
        Query.Select select = (Query.Select) query.body();
        Optional<List<OrderColumn>> orders = orders(query.orders(), select.items());
        boolean ofTable = select.from().isPresent()
                && select.from().get() instanceof Source.Table table
                && table.path().size() <= 2
                && table.version().isEmpty()
                && table.alias().columns().isEmpty();
        if (!ofTable || orders.isEmpty()) {
            return Optional.empty();
        }
        Source.Table table = (Source.Table) select.from().get();
        String namespace = table.path().size() > 1 ? table.path().get(0) : null;
        return Optional.of(new PlainSelect(
                select.items(),
                new Name(namespace, table.name(), table.at().offset()),
                table.alias().name(),
                select.where(),
                orders.get(),
                query.limit(),
                query.offset()));
    }

    /** The columns to sort by; empty if one of them may be a column of the result. */
    private static Optional<List<OrderColumn>> orders(List<Order> orders, List<Query.Item> items) {
        List<OrderColumn> columns = new ArrayList<>();
        for (Order order : orders) {
            boolean plain = order.nullsFirst().isEmpty()
                    && order.value() instanceof Expression.Column column
                    && items.stream().noneMatch(item -> computes(item, column.name()));
            if (!plain) {
                return Optional.empty();
            }
            columns.add(new OrderColumn(((Expression.Column) order.value()).name(), order.descending()));
        }
        return Optional.of(columns);
    }

    /** Whether the item is a column of the result with that name, but not the table's column itself. */
    private static boolean computes(Query.Item item, String name) {
        boolean same = item.value() instanceof Expression.Star
                || (item.value() instanceof Expression.Column column
                        && column.name().equals(name));
        return !same && ResultNames.of(item).equals(name);
    }

    public boolean names(String column) {
        return items.stream().anyMatch(item -> item.value().names(column))
                || where.filter(condition -> condition.names(column)).isPresent()
                || orderBy.stream().anyMatch(order -> order.name().equals(column));
    }

    /** Whether the condition makes a column of booleans false, whatever else it demands. */
    public boolean excludes(String column) {
        return where.filter(condition -> excludes(condition, column)).isPresent();
    }

    private static boolean excludes(Expression condition, String column) {
        if (condition instanceof Expression.Not not) {
            return isColumn(not.operand(), column);
        }
        if (condition instanceof Expression.Logical logical) {
            return logical.and() && logical.operands().stream().anyMatch(each -> excludes(each, column));
        }
        return condition instanceof Expression.Comparison comparison
                && comparison.sign() == Sign.EQUAL
                && isColumn(comparison.left(), column)
                && comparison.right() instanceof Expression.Constant constant
                && constant.kind() == Expression.Constant.Kind.BOOLEAN
                && !Boolean.parseBoolean(constant.text());
    }

    private static boolean isColumn(Expression expression, String name) {
        return expression instanceof Expression.Column column && column.name().equals(name);
    }
}
