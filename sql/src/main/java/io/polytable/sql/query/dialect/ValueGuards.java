package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Replaces calls whose results may be much larger than their arguments by variants that check the size first. */
final class ValueGuards {
    private static final Set<String> CONSTANTS = Set.of("CONSTANT", "PARAMETER");

    /** Other names of the same function. */
    private static final Map<String, String> SAME =
            Map.of("editdist3", "levenshtein", "array_resize", "list_resize", "jsonb_pretty", "json_pretty");

    private ValueGuards() {}

    static void apply(ObjectNode function, String name, Growth growth, boolean derived) {
        ArrayNode arguments = (ArrayNode) function.path("arguments");
        switch (growth) {
            case EXPANDING -> {
                if (!arguments.isEmpty() && !isConstant(argument(function, 0))) {
                    Dialect.wrap(Dialect.argument(function, 0), "pg_expanding");
                }
            }
            case SUMMED -> sum(function, derived);
            case QUADRATIC -> quadratic(function, name, arguments.size());
            case GUARDED -> guarded(function, name, arguments.size());
            case FIXED, LINEAR, COUNTED -> {}
        }
    }

    private static void quadratic(ObjectNode function, String name, int arguments) {
        String same = SAME.getOrDefault(name, name);
        if (arguments == (same.equals("json_pretty") ? 1 : 2)) {
            KnownFunctions.rename(function, "pg_" + same);
        }
    }

    private static void guarded(ObjectNode function, String name, int arguments) {
        switch (SAME.getOrDefault(name, name)) {
            case "replace" -> {
                boolean known = Dialect.isConstant(argument(function, 1), "STRING");
                long replaced = known ? Math.max(bytes(argument(function, 1)), 1) : 1;
                if (arguments == 3 && bytes(argument(function, 2)) > replaced) {
                    KnownFunctions.rename(function, "pg_replace");
                }
            }
            case "regexp_replace" -> {
                boolean removes = bytes(argument(function, 2)) == 0;
                if (!removes && (arguments == 3 || arguments == 4)) {
                    KnownFunctions.rename(function, arguments == 3 ? "pg_regexp_replace" : "pg_regexp_replace_flags");
                }
            }
            case "range" -> KnownFunctions.rename(function, "pg_range_" + arguments);
            case "generate_series" -> KnownFunctions.rename(function, "pg_series_" + arguments);
            case "list_resize" -> KnownFunctions.rename(function, "pg_resized_" + arguments);
            case "bitstring" -> KnownFunctions.rename(function, "pg_bitstring");
            case "printf" -> {
                if (arguments > 0) {
                    Dialect.wrap(Dialect.argument(function, 0), "pg_printf_form");
                }
            }
            // The others' own variants are macros of that name, or KnownFunctions or FunctionShapes select them.
            default -> {}
        }
    }

    /** The bytes of a constant text; of anything else more than any constant has. */
    private static long bytes(JsonNode node) {
        return Dialect.isConstant(node, "STRING")
                ? node.path("literal").path("text").asText().getBytes(StandardCharsets.UTF_8).length
                : Long.MAX_VALUE;
    }

    /**
     * Checks the sum of the sizes before the first argument is used. Columns of tables are left unchecked: a row has a
     * limited size. A column of a subquery may be the sum of others, which doubles with every nested query.
     */
    private static void sum(ObjectNode function, boolean derived) {
        List<ObjectNode> growing = new ArrayList<>();
        boolean small = !derived;
        for (int i = 0; i < function.path("arguments").size(); i++) {
            ObjectNode argument = Dialect.argument(function, i);
            small &= isSmall(argument);
            if (!isConstant(argument) && !hasQuery(argument)) {
                growing.add(argument);
            }
        }
        if (small || growing.size() < 2) {
            return;
        }
        ObjectNode total = sized(growing.get(0));
        for (ObjectNode next : growing.subList(1, growing.size())) {
            total = call(total, "+", List.of(total, sized(next)));
            total.put("is_operator", true);
        }
        ObjectNode first = growing.get(0);
        Dialect.wrap(first, "pg_fitting");
        ((ArrayNode) first.path("arguments")).addObject().put("name", "").set("expression", total);
    }

    private static ObjectNode sized(ObjectNode value) {
        ObjectNode copy = value.deepCopy();
        copy.put("alias", "");
        Dialect.wrap(copy, "pg_size");
        return copy;
    }

    private static ObjectNode call(ObjectNode like, String name, List<ObjectNode> operands) {
        ObjectNode call = like.deepCopy();
        KnownFunctions.rename(call, name);
        ArrayNode arguments = call.putArray("arguments");
        operands.forEach(each -> arguments.addObject().put("name", "").set("expression", each));
        return call;
    }

    private static JsonNode argument(ObjectNode function, int index) {
        return function.path("arguments").path(index).path("expression");
    }

    private static boolean isConstant(JsonNode node) {
        return CONSTANTS.contains(node.path("class").asText());
    }

    /** Whether a value is a column, a constant, or some of them concatenated. */
    private static boolean isSmall(JsonNode node) {
        if (isConstant(node) || node.path("class").asText().equals("COLUMN_REF")) {
            return true;
        }
        boolean joined = node.path("function_name").asText().equals("||");
        for (JsonNode argument : node.path("arguments")) {
            joined &= isSmall(argument.path("expression"));
        }
        return joined;
    }

    /** A subquery would run twice. */
    private static boolean hasQuery(JsonNode node) {
        boolean found = node.path("class").asText().equals("SUBQUERY");
        for (JsonNode child : node) {
            found |= hasQuery(child);
        }
        return found;
    }
}
