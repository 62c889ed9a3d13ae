package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.query.Names;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The allowlist of functions that a query may call: those of {@code functions.txt}, each with how its result may grow.
 */
public final class KnownFunctions {
    /** PostgreSQL's names of functions to DuckDB's or our macros'. */
    private static final Map<String, String> RENAMED = Map.ofEntries(
            Map.entry("every", "bool_and"),
            Map.entry("date_bin", "time_bucket"),
            Map.entry("sha256", "pg_sha256"),
            Map.entry("jsonb_exists", "pg_json_has"),
            Map.entry("octet_length", "pg_octets"),
            Map.entry("length", "pg_length"),
            Map.entry("repeat", "pg_repeat"),
            Map.entry("sqrt", "pg_sqrt"),
            Map.entry("ln", "pg_ln"),
            Map.entry("normalize", "nfc_normalize"),
            Map.entry("json_object_keys", "pg_json_object_keys"),
            Map.entry("jsonb_object_keys", "pg_json_object_keys"),
            Map.entry("jsonb_object_agg", "json_group_object"),
            Map.entry("jsonb_pretty", "json_pretty"),
            Map.entry("jsonb_strip_nulls", "json_strip_nulls"),
            Map.entry("jsonb_path_query_first", "json_extract"),
            Map.entry("btrim", "trim"),
            Map.entry("statement_timestamp", "statement_timestamp"),
            Map.entry("uuid_v7", "uuidv7"),
            Map.entry("array_length", "pg_array_length"),
            Map.entry("json_build_object", "json_object"),
            Map.entry("jsonb_build_object", "json_object"),
            Map.entry("json_build_array", "json_array"),
            Map.entry("jsonb_build_array", "json_array"),
            Map.entry("jsonb_array_length", "json_array_length"),
            Map.entry("json_object_agg", "json_group_object"),
            Map.entry("to_jsonb", "to_json"),
            Map.entry("json_typeof", "pg_json_typeof"),
            Map.entry("jsonb_typeof", "pg_json_typeof"));

    private final Map<String, Growth> growths;

    public KnownFunctions() {
        try (InputStream file = KnownFunctions.class.getResourceAsStream("functions.txt")) {
            if (file == null) {
                throw new IllegalStateException("functions.txt is not in the jar");
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
            growths = reader.lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> line.split(" ", 2))
                    .collect(Collectors.toUnmodifiableMap(
                            words -> words[0], words -> Growth.valueOf(words[1].toUpperCase(Locale.ROOT))));
        } catch (IOException failure) {
            throw new IllegalStateException("functions.txt cannot be read", failure);
        }
    }

    public boolean knows(String name) {
        return growths.containsKey(name) || RENAMED.containsKey(name);
    }

    Map<String, Growth> growths() {
        return growths;
    }

    /** Those of {@link #RENAMED} that are not listed themselves call a macro of ours or a function like their own. */
    private Growth growth(String name) {
        return name.equals("||")
                ? Growth.SUMMED
                : growths.getOrDefault(name, growths.getOrDefault(RENAMED.getOrDefault(name, name), Growth.LINEAR));
    }

    /**
     * Renames PostgreSQL's functions to DuckDB's. Functions that would describe DuckDB itself become constants.
     *
     * @param derived whether columns may be results of other parts of the query, and so already large
     */
    public void replace(ObjectNode function, Names context, boolean derived) {
        String name = function.path("function_name").asText();
        if (!function.path("class").asText().equals("WINDOW")) {
            ValueGuards.apply(function, name, growth(name), derived);
        }
        String other = RENAMED.get(name);
        // A guard may have renamed it already.
        if (other != null && function.path("function_name").asText().equals(name)) {
            rename(function, other);
        }
        switch (name) {
            case "current_user", "session_user", "user" -> constant(function, context.user());
            case "current_schema" -> constant(function, context.namespace());
            case "current_database" -> constant(function, "polytable");
            case "version" -> constant(function, "Polytable (PostgreSQL dialect)");
            default -> {
                if (!TimeFunctions.replace(function, name)) {
                    FunctionShapes.apply(function, name);
                }
            }
        }
    }

    /** Makes the backslash the escape character of LIKE, as in PostgreSQL. */
    public static void escapeLike(ObjectNode function) {
        String escaping = switch (function.path("function_name").asText()) {
            case "~~" -> "like_escape";
            case "!~~" -> "not_like_escape";
            case "~~*" -> "ilike_escape";
            case "!~~*" -> "not_ilike_escape";
            default -> "";
        };
        if (escaping.isEmpty() || function.path("arguments").size() != 2) {
            return;
        }
        JsonNode pattern = function.path("arguments").get(1).path("expression");
        boolean plain = pattern.path("class").asText().equals("CONSTANT")
                && !pattern.path("literal").path("text").asText().contains("\\");
        if (plain) {
            return;
        }
        rename(function, escaping);
        function.put("is_operator", false);
        ObjectNode argument = ((ArrayNode) function.get("arguments")).addObject();
        argument.put("name", "");
        ObjectNode escape = argument.putObject("expression");
        escape.put("class", "CONSTANT");
        escape.put("type", "VALUE_CONSTANT");
        escape.put("alias", "");
        escape.putObject("literal").put("kind", "STRING").put("text", "\\");
    }

    /** Replaces functions that are called without parentheses and so are parsed as columns. */
    public void replaceBare(ObjectNode column, Names context) {
        JsonNode path = column.path("column_names");
        if (path.size() != 1) {
            return;
        }
        switch (path.get(0).asText()) {
            case "current_user", "session_user", "current_role" -> constant(column, context.user());
            case "current_schema" -> constant(column, context.namespace());
            case "current_catalog" -> constant(column, "polytable");
            default -> {
                boolean unused = TimeFunctions.replace(column, path.get(0).asText());
            }
        }
    }

    static void rename(ObjectNode function, String name) {
        function.put("function_name", name);
        function.set("qualified_name", path(function, name));
    }

    private static JsonNode path(ObjectNode node, String name) {
        ObjectNode qualified = node.objectNode();
        qualified.putArray("path").add(name);
        return qualified;
    }

    private static void constant(ObjectNode function, String text) {
        JsonNode bare = function.path("column_names");
        String given = function.path("alias").asText();
        String alias = given.isEmpty() && !bare.isEmpty() ? bare.get(0).asText() : given;
        JsonNode location = function.path("query_location");
        function.removeAll();
        function.put("class", "CONSTANT");
        function.put("type", "VALUE_CONSTANT");
        function.put("alias", alias);
        function.set("query_location", location);
        ObjectNode literal = function.putObject("literal");
        literal.put("kind", "STRING");
        literal.put("text", text);
    }
}
