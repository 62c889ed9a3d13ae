package io.polytable.sql.tree;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A query: common table expressions, a body, and the modifiers of its result. */
public record Query(
        boolean recursive,
        List<Cte> with,
        Body body,
        List<Order> orders,
        boolean orderByAll,
        Optional<Expression> limit,
        Optional<Expression> offset,
        At at) {
    public Query {
        with = List.copyOf(with);
        orders = List.copyOf(orders);
    }

    public static Query of(Body body) {
        return new Query(false, List.of(), body, List.of(), false, Optional.empty(), Optional.empty(), At.NOWHERE);
    }

    public Query with(Body other) {
        return new Query(recursive, with, other, orders, orderByAll, limit, offset, at);
    }

    /** This query behind more common table expressions. */
    public Query within(boolean more, List<Cte> before) {
        if (before.isEmpty()) {
            return this;
        }
        return with.isEmpty()
                ? new Query(more, before, body, orders, orderByAll, limit, offset, at)
                : new Query(more, before, new Nested(this), List.of(), false, Optional.empty(), Optional.empty(), at);
    }

    /** The modifiers, without common table expressions and body, are changed. */
    public Query mapModifiers(UnaryOperator<Expression> change) {
        return new Query(
                recursive,
                with,
                body,
                orders.stream().map(order -> order.map(change)).toList(),
                orderByAll,
                limit.map(change),
                offset.map(change),
                at);
    }

    /** A common table expression. */
    public record Cte(String name, List<String> columns, Optional<Boolean> materialized, Query query, At at) {
        public Cte {
            columns = List.copyOf(columns);
        }

        public Cte with(Query other) {
            return new Cte(name, columns, materialized, other, at);
        }
    }

    /** A query without modifiers. */
    public sealed interface Body {}

    /** A query in parentheses, with modifiers of its own. */
    public record Nested(Query query) implements Body {}

    public record Values(List<List<Expression>> rows, At at) implements Body {
        public Values {
            rows = List.copyOf(rows);
        }
    }

    public enum Combination {
        UNION,
        INTERSECT,
        EXCEPT
    }

    /** Several bodies combined from left to right by the same operation. */
    public record SetOperation(Combination combination, boolean all, boolean byName, List<Body> parts) implements Body {
        public SetOperation {
            parts = List.copyOf(parts);
        }
    }

    /** DISTINCT, or DISTINCT ON some values. */
    public record Distinct(List<Expression> on) {
        public Distinct {
            on = List.copyOf(on);
        }
    }

    /** An item of the select list. */
    public record Item(Expression value, Optional<String> alias) {
        public Item map(UnaryOperator<Expression> change) {
            return new Item(change.apply(value), alias);
        }
    }

    /** An element of GROUP BY. */
    public sealed interface Grouping {
        Grouping map(UnaryOperator<Expression> change);

        record By(Expression value) implements Grouping {
            @Override
            public Grouping map(UnaryOperator<Expression> change) {
                return new By(change.apply(value));
            }
        }

        /** Values in parentheses: one element of a set of groupings. */
        record Together(List<Expression> values) implements Grouping {
            public Together {
                values = List.copyOf(values);
            }

            @Override
            public Grouping map(UnaryOperator<Expression> change) {
                return new Together(Expression.mapped(values, change));
            }
        }

        enum Kind {
            ROLLUP,
            CUBE,
            SETS
        }

        record Several(Kind kind, List<Grouping> elements) implements Grouping {
            public Several {
                elements = List.copyOf(elements);
            }

            @Override
            public Grouping map(UnaryOperator<Expression> change) {
                return new Several(
                        kind, elements.stream().map(each -> each.map(change)).toList());
            }
        }
    }

    public record Select(
            Optional<Distinct> distinct,
            List<Item> items,
            Optional<Source> from,
            Optional<Expression> where,
            List<Grouping> groups,
            boolean groupByAll,
            Optional<Expression> having,
            List<Window.Named> windows,
            Optional<Expression> qualify,
            At at)
            implements Body {
        public Select {
            items = List.copyOf(items);
            groups = List.copyOf(groups);
            windows = List.copyOf(windows);
        }

        public static Select of(List<Item> items, Optional<Source> from) {
            return new Select(
                    Optional.empty(),
                    items,
                    from,
                    Optional.empty(),
                    List.of(),
                    false,
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    At.NOWHERE);
        }

        public Select with(List<Item> otherItems, List<Grouping> otherGroups) {
            return new Select(distinct, otherItems, from, where, otherGroups, groupByAll, having, windows, qualify, at);
        }

        public Select where(Expression condition) {
            return new Select(
                    distinct, items, from, Optional.of(condition), groups, groupByAll, having, windows, qualify, at);
        }

        public Select with(Optional<Source> otherFrom) {
            return new Select(distinct, items, otherFrom, where, groups, groupByAll, having, windows, qualify, at);
        }

        /** All expressions but those in FROM are changed. */
        public Select map(UnaryOperator<Expression> change) {
            return new Select(
                    distinct.map(each -> new Distinct(Expression.mapped(each.on(), change))),
                    items.stream().map(item -> item.map(change)).toList(),
                    from,
                    where.map(change),
                    groups.stream().map(group -> group.map(change)).toList(),
                    groupByAll,
                    having.map(change),
                    windows.stream().map(window -> window.map(change)).toList(),
                    qualify.map(change),
                    at);
        }
    }
}
