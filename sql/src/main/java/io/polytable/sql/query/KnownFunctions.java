package io.polytable.sql.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The functions that a query may call: those listed in {@code functions.txt}, and no others. */
final class KnownFunctions {
    /** Names of PostgreSQL for what DuckDB calls otherwise. */
    private static final Map<String, String> RENAMED =
            Map.of("every", "bool_and", "btrim", "trim", "statement_timestamp", "now", "uuid_v7", "uuidv7");

    private final Set<String> names;

    KnownFunctions() {
        try (InputStream file = KnownFunctions.class.getResourceAsStream("functions.txt")) {
            if (file == null) {
                throw new IllegalStateException("functions.txt is not in the jar");
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
            names = reader.lines().filter(line -> !line.isBlank()).collect(Collectors.toUnmodifiableSet());
        } catch (IOException failure) {
            throw new IllegalStateException("functions.txt cannot be read", failure);
        }
    }

    boolean knows(String name) {
        return names.contains(name);
    }

    Set<String> names() {
        return names;
    }

    /** Puts DuckDB's name for PostgreSQL's, and our answers for what a function would tell of DuckDB itself. */
    void replace(ObjectNode function, Names context) {
        String name = function.path("function_name").asText();
        String other = RENAMED.get(name);
        if (other != null) {
            rename(function, other);
        }
        switch (name) {
            case "current_user", "session_user", "user" -> constant(function, context.user());
            case "current_schema" -> constant(function, context.namespace());
            case "current_database" -> constant(function, "polytable");
            case "version" -> constant(function, "Polytable (PostgreSQL dialect)");
            default -> {}
        }
    }

    private static void rename(ObjectNode function, String name) {
        function.put("function_name", name);
        function.set("qualified_name", path(function, name));
    }

    private static JsonNode path(ObjectNode node, String name) {
        ObjectNode qualified = node.objectNode();
        qualified.putArray("path").add(name);
        return qualified;
    }

    private static void constant(ObjectNode function, String text) {
        String alias = function.path("alias").asText();
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
