package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import java.util.Optional;

/** Names the unnamed columns of a SELECT as PostgreSQL does. */
public final class ResultNames {
    private static final String NAMELESS = "?column?";

    private ResultNames() {}

    /** The item with its name; a column keeps its own, and {@code *} has several. */
    static Query.Item named(Query.Item item) {
        boolean named = item.alias().isPresent()
                || item.value() instanceof Expression.Column
                || item.value() instanceof Expression.Star;
        return named ? item : new Query.Item(item.value(), Optional.of(name(item.value())));
    }

    /** The name of the result's column. */
    public static String of(Query.Item item) {
        return item.alias().orElseGet(() -> name(item.value()));
    }

    private static String name(Expression value) {
        String strong = strong(value);
        if (!strong.equals(NAMELESS)) {
            return strong;
        }
        if (value instanceof Expression.Cast cast) {
            return cast.type().shown();
        }
        return value instanceof Expression.Case ? "case" : NAMELESS;
    }

    /** The name of a column or function, which a cast around it keeps; a type's name is only a fallback. */
    private static String strong(Expression value) {
        if (value instanceof Expression.Column column) {
            return column.name();
        }
        if (value instanceof Expression.Call call) {
            return function(call.function());
        }
        if (value instanceof Expression.Cast cast) {
            return strong(cast.operand());
        }
        if (value instanceof Expression.Case choice) {
            return choice.otherwise().map(ResultNames::strong).orElse(NAMELESS);
        }
        if (value instanceof Expression.Subquery subquery) {
            return subquery(subquery);
        }
        if (value instanceof Expression.Element element) {
            return strong(element.operand());
        }
        if (value instanceof Expression.Field field) {
            return field.name();
        }
        if (value instanceof Expression.Listing) {
            return "array";
        }
        if (value instanceof Expression.Row) {
            return "row";
        }
        return value instanceof Expression.GroupingMask ? "grouping" : NAMELESS;
    }

    private static String function(String name) {
        return switch (name) {
            case "count_star" -> "count";
            case "get_current_timestamp" -> "now";
            case "list_value", "array_value" -> "array";
            case "trim" -> "btrim";
            case "quantile_cont" -> "percentile_cont";
            case "quantile_disc" -> "percentile_disc";
            default -> name;
        };
    }

    private static String subquery(Expression.Subquery subquery) {
        return switch (subquery.form()) {
            case EXISTS -> "exists";
            case ARRAY -> "array";
            case SCALAR -> first(subquery.query()).map(ResultNames::of).orElse(NAMELESS);
        };
    }

    private static Optional<Query.Item> first(Query query) {
        if (query.body() instanceof Query.Nested nested) {
            return first(nested.query());
        }
        return query.body() instanceof Query.Select select
                ? Optional.of(select.items().get(0))
                : Optional.empty();
    }
}
