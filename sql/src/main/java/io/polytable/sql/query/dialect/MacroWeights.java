package io.polytable.sql.query.dialect;

import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Rewriter;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The limit on macro expansion. DuckDB replaces each call of a macro by its body and copies an argument to every use,
 * so nested calls grow exponentially. Planning cannot be cancelled, so a query that would grow too much is rejected
 * before.
 */
public final class MacroWeights {
    /** The most repeated expressions. Measured: planning the slowest query of this size took two seconds. */
    private static final long REPEATED_MAX = 20_000;

    /** Between the variants of a macro for different types of arguments. */
    private static final Pattern VARIANTS = Pattern.compile(", (?=\\([^()]*(?:\\([^()]*\\)[^()]*)*\\) AS )");

    private final Map<String, Macro> macros = new HashMap<>();

    /** @param times how often the body uses each parameter */
    private record Macro(long own, List<String> parameters, List<Long> times) {}

    /** Those of our own macros, which are the same for every instance; made when the first query needs them. */
    private static final class Own {
        static final MacroWeights WEIGHTS = new MacroWeights(PostgresFunctions.macros());
    }

    /**
     * @param definitions {@code CREATE MACRO name(parameters) AS expression, (parameters) AS expression ...}, each after
     *     those that it calls
     */
    MacroWeights(List<String> definitions) {
        for (String definition : definitions) {
            int open = definition.indexOf('(');
            String name = definition.substring(definition.lastIndexOf(' ', open) + 1, open);
            Macro heaviest = null;
            for (String variant : VARIANTS.split(definition.substring(open), -1)) {
                Macro macro = weighed(variant);
                heaviest = heaviest == null || macro.own() > heaviest.own() ? macro : heaviest;
            }
            macros.put(name, Objects.requireNonNull(heaviest));
        }
    }

    public static MacroWeights own() {
        return Own.WEIGHTS;
    }

    /** @param variant {@code (parameters) AS expression} */
    private Macro weighed(String variant) {
        int as = variant.indexOf(") AS ");
        List<String> parameters = new ArrayList<>();
        for (String parameter : variant.substring(1, as).split(",", -1)) {
            // A parameter may have a default or a type behind its name.
            parameters.add(parameter.strip().replaceFirst("[ :].*", ""));
        }
        Expression body = QueryParser.expression(variant.substring(as + ") AS ".length()));
        long[] times = new long[parameters.size()];
        long own = weigh(body, parameters, times);
        return new Macro(own, parameters, Arrays.stream(times).boxed().toList());
    }

    /** Rejects a query that would grow too much. */
    public void check(Query query) {
        long repeated = sum(query, each -> weigh(each, List.of(), new long[0])) - sum(query, this::once);
        if (repeated > REPEATED_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "calls of functions are nested too deeply");
        }
    }

    /** Sums something over the expressions of a query, not of those inside them. */
    private static long sum(Query query, ToLongFunction<Expression> weight) {
        long[] sum = {0};
        Query unused = new Rewriter() {
            @Override
            protected Expression expression(Expression expression) {
                sum[0] = sum(sum[0], weight.applyAsLong(expression));
                return expression;
            }
        }.query(query);
        return sum[0];
    }

    private static Optional<Query> inside(Expression expression) {
        if (expression instanceof Expression.Subquery subquery) {
            return Optional.of(subquery.query());
        }
        return expression instanceof Expression.Quantified quantified
                ? Optional.of(quantified.query())
                : Optional.empty();
    }

    /** The number of expressions in a tree and in the bodies of its macros, if no argument were repeated. */
    private long once(Expression expression) {
        Macro macro = macro(expression);
        long sum = macro != null ? macro.own() : 1;
        for (Expression child : expression.children()) {
            sum += once(child);
        }
        return sum + inside(expression).map(query -> sum(query, this::once)).orElse(0L);
    }

    private @Nullable Macro macro(Expression expression) {
        return expression instanceof Expression.Call call ? macros.get(call.function()) : null;
    }

    /**
     * The number of expressions in a tree after macro expansion.
     *
     * @param times incremented by how often the tree uses each parameter
     */
    private long weigh(Expression expression, List<String> parameters, long[] times) {
        Macro macro = macro(expression);
        if (macro != null && expression instanceof Expression.Call call) {
            return weighCall(call, macro, parameters, times);
        }
        boolean parameter = expression instanceof Expression.Column column
                && column.path().size() == 1
                && parameters.contains(column.name());
        if (parameter && expression instanceof Expression.Column column) {
            times[parameters.indexOf(column.name())]++;
            return 0;
        }
        long sum = 1;
        for (Expression child : expression.children()) {
            sum = sum(sum, weigh(child, parameters, times));
        }
        if (expression instanceof Expression.Case choice && choice.subject().isPresent()) {
            // DuckDB compares the subject once for each branch.
            for (int i = 1; i < choice.branches().size(); i++) {
                sum = sum(sum, weigh(choice.subject().get(), parameters, times));
            }
        }
        return sum(
                sum,
                inside(expression)
                        .map(query -> sum(query, each -> weigh(each, parameters, times)))
                        .orElse(0L));
    }

    private long weighCall(Expression.Call call, Macro macro, List<String> parameters, long[] times) {
        long sum = macro.own();
        int position = 0;
        for (Expression.Argument argument : call.arguments()) {
            int named = argument.name().map(macro.parameters()::indexOf).orElse(-1);
            int place = named >= 0 ? named : Math.min(position++, macro.times().size() - 1);
            long repeats = macro.times().get(place);
            long[] inside = new long[times.length];
            sum = sum(sum, product(repeats, weigh(argument.value(), parameters, inside)));
            for (int i = 0; i < times.length; i++) {
                times[i] += repeats * inside[i];
            }
        }
        return sum;
    }

    /** Sums and products saturate far above the limit, so they cannot overflow. */
    private static long sum(long a, long b) {
        return Math.min(a + b, Long.MAX_VALUE / 2);
    }

    private static long product(long times, long weight) {
        return times != 0 && weight > Long.MAX_VALUE / 2 / times ? Long.MAX_VALUE / 2 : times * weight;
    }
}
