package io.polytable.sql.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** Gives the columns of a SELECT that have no name the one that PostgreSQL gives them. */
final class ResultNames {
    private static final String NAMELESS = "?column?";

    private ResultNames() {}

    static void apply(ObjectNode query) {
        for (JsonNode item : query.path("select_list")) {
            boolean named = !item.path("alias").asText().isEmpty()
                    || item.path("class").asText().equals("COLUMN_REF")
                    || item.path("class").asText().equals("STAR");
            if (!named) {
                ((ObjectNode) item).put("alias", name(item));
            }
        }
    }

    private static String name(JsonNode item) {
        return switch (item.path("class").asText()) {
            case "FUNCTION", "WINDOW" -> function(item);
            case "CASE" -> "case";
            case "CAST" -> cast(item);
            case "SUBQUERY" -> subquery(item);
            case "COLUMN_REF" -> last(item.path("column_names"));
            case "OPERATOR" -> item.path("type").asText().equals("OPERATOR_COALESCE") ? "coalesce" : NAMELESS;
            default -> NAMELESS;
        };
    }

    private static String last(JsonNode path) {
        return path.get(path.size() - 1).asText();
    }

    private static String function(JsonNode item) {
        String name = item.path("function_name").asText();
        if (name.isEmpty()) {
            name = item.path("type").asText().toLowerCase(Locale.ROOT).replaceFirst("^window_", "");
        }
        return switch (name) {
            case "count_star" -> "count";
            case "get_current_timestamp" -> "now";
            case "list_value", "array_value" -> "array";
            default -> name.matches("[a-z_0-9]+") && !item.path("is_operator").asBoolean() ? name : NAMELESS;
        };
    }

    private static String cast(JsonNode item) {
        String inner = name(item.path("child"));
        String type = item.path("type_expr").path("type_name").asText();
        return inner.equals(NAMELESS) && !type.isEmpty() ? pgType(type) : inner;
    }

    private static String pgType(String type) {
        return switch (type.toLowerCase(Locale.ROOT)) {
            case "int", "integer" -> "int4";
            case "bigint" -> "int8";
            case "smallint" -> "int2";
            case "double" -> "float8";
            case "boolean" -> "bool";
            case "decimal" -> "numeric";
            default -> type.toLowerCase(Locale.ROOT);
        };
    }

    private static String subquery(JsonNode item) {
        if (!item.path("subquery_type").asText().equals("SCALAR")) {
            return item.path("subquery_type").asText().equals("EXISTS") ? "exists" : NAMELESS;
        }
        JsonNode first = item.path("subquery").path("node").path("select_list").path(0);
        String alias = first.path("alias").asText();
        return alias.isEmpty() && !first.isMissingNode() ? name(first) : alias.isEmpty() ? NAMELESS : alias;
    }
}
