package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Names the unnamed columns of a SELECT as PostgreSQL does. */
final class ResultNames {
    private static final String NAMELESS = "?column?";
    private static final String EXTRACT = "extract";

    private final byte[] text;

    /** @param text the parsed text; DuckDB's locations in it are byte offsets */
    ResultNames(String text) {
        this.text = text.getBytes(StandardCharsets.UTF_8);
    }

    void apply(ObjectNode query) {
        for (JsonNode item : query.path("select_list")) {
            boolean named = !item.path("alias").asText().isEmpty()
                    || item.path("class").asText().equals("COLUMN_REF")
                    || item.path("class").asText().equals("STAR");
            if (!named) {
                ((ObjectNode) item).put("alias", name(item));
            }
        }
    }

    private String name(JsonNode item) {
        return switch (item.path("class").asText()) {
            case "CASE" -> named(item) ? strong(item) : "case";
            case "CAST" -> named(item) ? strong(item) : type(item);
            default -> strong(item);
        };
    }

    private boolean named(JsonNode item) {
        return !strong(item).equals(NAMELESS);
    }

    /** The name of a column or function, which a cast around it keeps; a type's name is only a fallback. */
    private String strong(JsonNode item) {
        return switch (item.path("class").asText()) {
            case "FUNCTION", "WINDOW" -> function(item);
            case "CASE" -> strong(item.path("else_expr"));
            case "CAST" -> strong(item.path("child"));
            case "SUBQUERY" -> subquery(item);
            case "COLUMN_REF" -> last(item.path("column_names"));
            case "OPERATOR" -> operator(item);
            default -> NAMELESS;
        };
    }

    private String operator(JsonNode item) {
        return switch (item.path("type").asText()) {
            case "OPERATOR_COALESCE" -> "coalesce";
            case "GROUPING_FUNCTION" -> "grouping";
            case "ARRAY_CONSTRUCTOR" -> "array";
            case "ARRAY_EXTRACT" -> strong(item.path("children").path(0));
            default -> NAMELESS;
        };
    }

    private static String last(JsonNode path) {
        return path.get(path.size() - 1).asText();
    }

    private String function(JsonNode item) {
        String name = item.path("function_name").asText();
        if (name.isEmpty()) {
            name = item.path("type").asText().toLowerCase(Locale.ROOT).replaceFirst("^window_", "");
        }
        return switch (name) {
            case "count_star" -> "count";
            case "get_current_timestamp" -> "now";
            case "list_value", "array_value" -> "array";
            case "trim" -> "btrim";
            case "quantile_cont" -> "percentile_cont";
            case "quantile_disc" -> "percentile_disc";
            case "date_part" -> isExtract(item) ? EXTRACT : name;
            case "regexp_matches", "regexp_full_match" -> FunctionShapes.isOperator(item) ? NAMELESS : name;
            default -> name.matches("[a-z_0-9]+") && !item.path("is_operator").asBoolean() ? name : NAMELESS;
        };
    }

    private boolean isExtract(JsonNode item) {
        long place = item.path("query_location").asLong(-1);
        if (place < 0 || place + EXTRACT.length() > text.length) {
            return false;
        }
        return new String(text, (int) place, EXTRACT.length(), StandardCharsets.UTF_8).equalsIgnoreCase(EXTRACT);
    }

    private static String type(JsonNode cast) {
        String type = cast.path("type_expr").path("type_name").asText();
        return type.isEmpty() ? NAMELESS : pgType(type);
    }

    private static String pgType(String type) {
        return switch (type.toLowerCase(Locale.ROOT)) {
            case "int", "integer" -> "int4";
            case "bigint" -> "int8";
            case "smallint" -> "int2";
            case "float", "real" -> "float4";
            case "double" -> "float8";
            case "boolean" -> "bool";
            case "decimal" -> "numeric";
            case "timestamp with time zone" -> "timestamptz";
            default -> type.toLowerCase(Locale.ROOT);
        };
    }

    private String subquery(JsonNode item) {
        if (!item.path("subquery_type").asText().equals("SCALAR")) {
            return item.path("subquery_type").asText().equals("EXISTS") ? "exists" : NAMELESS;
        }
        JsonNode first = item.path("subquery").path("node").path("select_list").path(0);
        String alias = first.path("alias").asText();
        return alias.isEmpty() && !first.isMissingNode() ? name(first) : alias.isEmpty() ? NAMELESS : alias;
    }
}
