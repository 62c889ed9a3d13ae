package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.query.duck.ParsedSql;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
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

    /** Those of our own macros, which are the same for every instance; computing them takes 100 parsed statements. */
    private static final AtomicReference<@Nullable MacroWeights> OWN = new AtomicReference<>();

    /** Between the variants of a macro for different types of arguments. */
    private static final Pattern VARIANTS = Pattern.compile(", (?=\\([^()]*(?:\\([^()]*\\)[^()]*)*\\) AS )");

    private final Map<String, Macro> macros = new HashMap<>();

    /** @param times how often the body uses each parameter */
    private record Macro(long own, List<String> parameters, List<Long> times) {}

    /**
     * @param definitions {@code CREATE MACRO name(parameters) AS expression, (parameters) AS expression ...}, each after
     *     those that it calls
     */
    public MacroWeights(List<String> definitions, ParsedSql parser) {
        for (String definition : definitions) {
            int open = definition.indexOf('(');
            String name = definition.substring(definition.lastIndexOf(' ', open) + 1, open);
            Macro heaviest = null;
            for (String variant : VARIANTS.split(definition.substring(open), -1)) {
                Macro macro = weighed(variant, parser);
                heaviest = heaviest == null || macro.own() > heaviest.own() ? macro : heaviest;
            }
            macros.put(name, Objects.requireNonNull(heaviest));
        }
    }

    /** @param variant {@code (parameters) AS expression} */
    private Macro weighed(String variant, ParsedSql parser) {
        int as = variant.indexOf(") AS ");
        List<String> parameters = new ArrayList<>();
        for (String parameter : variant.substring(1, as).split(",", -1)) {
            // A parameter may have a default or a type behind its name.
            parameters.add(parameter.strip().replaceFirst("[ :].*", ""));
        }
        JsonNode body = parser.parse("SELECT " + variant.substring(as + ") AS ".length()));
        long[] times = new long[parameters.size()];
        long own = weigh(body, parameters, times);
        return new Macro(own, parameters, Arrays.stream(times).boxed().toList());
    }

    /** Those of our own macros. Two concurrent first queries may both compute them, with the same result. */
    public static MacroWeights own(ParsedSql parser) {
        MacroWeights known = OWN.get();
        if (known == null) {
            known = new MacroWeights(PostgresFunctions.macros(), parser);
            OWN.set(known);
        }
        return known;
    }

    /** Rejects a query that would grow too much. */
    public void check(ObjectNode query) {
        long repeated = weigh(query, List.of(), new long[0]) - once(query);
        if (repeated > REPEATED_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "calls of functions are nested too deeply");
        }
    }

    /** The number of expressions in a tree and in the bodies of its macros, if no argument were repeated. */
    private long once(JsonNode node) {
        Macro macro = macros.get(node.path("function_name").asText());
        long sum = macro != null ? macro.own() : isExpression(node) ? 1 : 0;
        for (JsonNode child : node) {
            sum += once(child);
        }
        return sum;
    }

    private static boolean isExpression(JsonNode node) {
        return node.has("class");
    }

    /**
     * The number of expressions in a tree after macro expansion.
     *
     * @param times incremented by how often the tree uses each parameter
     */
    private long weigh(JsonNode node, List<String> parameters, long[] times) {
        Macro macro = macros.get(node.path("function_name").asText());
        if (macro != null) {
            return weighCall(node, macro, parameters, times);
        }
        JsonNode column = node.path("column_names");
        int parameter = column.size() == 1 ? parameters.indexOf(column.get(0).asText()) : -1;
        if (parameter >= 0) {
            times[parameter]++;
            return 0;
        }
        long sum = isExpression(node) ? 1 : 0;
        for (JsonNode child : node) {
            sum = sum(sum, weigh(child, parameters, times));
        }
        return sum;
    }

    private long weighCall(JsonNode call, Macro macro, List<String> parameters, long[] times) {
        long sum = macro.own();
        int position = 0;
        for (JsonNode argument : call.path("arguments")) {
            int named = macro.parameters().indexOf(argument.path("name").asText());
            int place = named >= 0 ? named : Math.min(position++, macro.times().size() - 1);
            long repeats = macro.times().get(place);
            long[] inside = new long[times.length];
            sum = sum(sum, product(repeats, weigh(argument, parameters, inside)));
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
