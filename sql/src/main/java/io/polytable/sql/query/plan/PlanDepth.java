package io.polytable.sql.query.plan;

import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Rewriter;
import io.polytable.sql.tree.Source;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The limit on how many operators of a plan are nested. DuckDB plans recursively, and an overflow of its stack ends the
 * process. The parser limits the nesting that a text shows; a join, a set operation and the use of a common table
 * expression add a level each without any parenthesis.
 */
final class PlanDepth extends Rewriter {
    /**
     * A level may take this part of {@link io.polytable.frontend.net.Workers#DEEP_STACK}: 128 kB. Measured were 3 to 7 kB.
     */
    private static final int LEVELS_MAX = 500;

    /** DuckDB looks for the best order of these, which cannot be cancelled: 100 took one second, 200 sixteen. */
    private static final int INNER_JOINS_MAX = 128;

    private final Deque<Map<String, Integer>> with = new ArrayDeque<>();

    /** The levels of what was visited so far within the present node. */
    private int levels;

    private int innerJoins;

    private PlanDepth() {}

    /** @param bound a query without views */
    static void check(Query bound) {
        PlanDepth depth = new PlanDepth();
        Query unused = depth.query(bound);
        if (depth.levels > LEVELS_MAX) {
            throw new SqlError(
                    SqlCode.LIMIT_EXCEEDED,
                    "a query has at most " + LEVELS_MAX
                            + " joins, set operations and common table expressions within each other");
        }
        if (depth.innerJoins > INNER_JOINS_MAX) {
            throw new SqlError(
                    SqlCode.LIMIT_EXCEEDED, "a query has at most " + INNER_JOINS_MAX + " inner and cross joins");
        }
    }

    /** The levels of a part alone. */
    private int levelsOf(Runnable visit) {
        int around = levels;
        levels = 0;
        visit.run();
        int found = levels;
        levels = around;
        return found;
    }

    private void reached(int found) {
        levels = Math.max(levels, found);
    }

    @Override
    public Query query(Query query) {
        Map<String, Integer> own = new HashMap<>();
        with.push(own);
        query.with().forEach(cte -> own.put(cte.name(), levelsOf(() -> query(cte.query()))));
        reached(levelsOf(() -> {
                    body(query.body());
                    query.mapModifiers(this::expression);
                })
                + 1);
        with.pop();
        return query;
    }

    @Override
    protected Query.Body body(Query.Body body) {
        if (body instanceof Query.SetOperation operation) {
            // The parts of UNION ALL are beside each other; all others are combined one after the other.
            boolean flat = operation.combination() == Query.Combination.UNION && operation.all();
            int combined = 0;
            for (Query.Body part : operation.parts()) {
                combined = Math.max(combined, levelsOf(() -> body(part))) + (flat ? 0 : 1);
            }
            reached(combined + 1);
            return body;
        }
        return super.body(body);
    }

    @Override
    protected Source source(Source source) {
        if (source instanceof Source.Join join) {
            int left = levelsOf(() -> source(join.left()));
            int right = levelsOf(() -> source(join.right()));
            join.on().ifPresent(this::expression);
            innerJoins += isReordered(join.pairing()) ? 1 : 0;
            reached(Math.max(left, right) + 1);
            return source;
        }
        if (source instanceof Source.Table table) {
            with.stream()
                    .flatMap(names -> Optional.ofNullable(names.get(table.name())).stream())
                    .findFirst()
                    .ifPresent(this::reached);
        }
        return super.source(source);
    }

    private static boolean isReordered(Source.Pairing pairing) {
        return pairing == Source.Pairing.INNER || pairing == Source.Pairing.CROSS;
    }
}
