package io.polytable.sql.query.plan;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The limit on how much larger a list, row or map can be than the columns it is made of. {@code SELECT [v, v] AS v FROM
 * (...)} doubles a value with every query around the last, and neither planning it nor its conversion to text can be
 * cancelled. Growing texts are checked when they are computed; see {@code ValueGuards}.
 */
final class ValueGrowth {
    /** Measured: a list of 16,000 copies, doubled by 14 queries, took a second to plan. */
    private static final double TIMES_MAX = 10_000;

    /** Calls whose results contain all their arguments. */
    private static final Set<String> CONTAINERS = Set.of(
            "list_value",
            "list_pack",
            "array_value",
            "list_concat",
            "list_cat",
            "array_concat",
            "array_cat",
            "struct_pack",
            "struct_insert",
            "row",
            "map",
            "json_array",
            "json_object",
            "to_json");

    private ValueGrowth() {}

    /** @param bound a query without views */
    static void check(Query bound) {
        if (of(bound, Map.of(), 1) > TIMES_MAX) {
            throw new SqlError(
                    SqlCode.LIMIT_EXCEEDED, "a value is made of more than " + (int) TIMES_MAX + " copies of others");
        }
    }

    /**
     * How often a value of the result may contain the same value of a table.
     *
     * @param with the same of the common table expressions in scope
     * @param around the same of the columns of enclosing queries
     */
    private static double of(Query query, Map<String, Double> with, double around) {
        Map<String, Double> known = new HashMap<>(with);
        query.with().forEach(cte -> known.put(cte.name(), of(cte.query(), known, around)));
        return of(query.body(), known, around);
    }

    private static double of(Query.Body body, Map<String, Double> with, double around) {
        if (body instanceof Query.Nested nested) {
            return of(nested.query(), with, around);
        }
        if (body instanceof Query.SetOperation operation) {
            return operation.parts().stream()
                    .mapToDouble(part -> of(part, with, around))
                    .max()
                    .orElse(0);
        }
        if (body instanceof Query.Values values) {
            return values.rows().stream()
                    .flatMap(row -> row.stream())
                    .mapToDouble(value -> of(value, with, around))
                    .max()
                    .orElse(0);
        }
        Query.Select select = (Query.Select) body;
        double columns = Math.max(
                around, select.from().map(from -> of(from, with, around)).orElse(0.0));
        return select.items().stream()
                .mapToDouble(item -> of(item.value(), with, columns))
                .max()
                .orElse(0);
    }

    private static double of(Source source, Map<String, Double> with, double around) {
        if (source instanceof Source.Join join) {
            return Math.max(of(join.left(), with, around), of(join.right(), with, around));
        }
        if (source instanceof Source.Derived derived) {
            return of(derived.query(), with, around);
        }
        if (source instanceof Source.Function function) {
            return of(function.call(), with, around);
        }
        return source instanceof Source.Table table ? with.getOrDefault(table.name(), 1.0) : 1;
    }

    private static double of(Expression value, Map<String, Double> with, double columns) {
        if (value instanceof Expression.Column || value instanceof Expression.Star) {
            return columns;
        }
        if (value instanceof Expression.Subquery subquery) {
            return of(subquery.query(), with, columns);
        }
        boolean container = value instanceof Expression.Listing
                || value instanceof Expression.Row
                || (value instanceof Expression.Call call && CONTAINERS.contains(call.function()));
        double sum = 0;
        double largest = 0;
        for (Expression part : value.children()) {
            double inside = of(part, with, columns);
            sum += inside;
            largest = Math.max(largest, inside);
        }
        return container ? sum : largest;
    }
}
