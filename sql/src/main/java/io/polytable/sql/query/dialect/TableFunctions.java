package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.query.duck.ParsedSql;
import java.util.Map;

/** PostgreSQL's table functions that expand JSON or split text, rewritten to lists that DuckDB unnests. */
public final class TableFunctions {
    private static final Map<String, String> LISTS = Map.of(
            "json_array_elements", "pg_json_elements",
            "jsonb_array_elements", "pg_json_elements",
            "json_array_elements_text", "pg_json_texts",
            "jsonb_array_elements_text", "pg_json_texts",
            "json_object_keys", "json_keys",
            "jsonb_object_keys", "json_keys",
            "json_each", "pg_json_entries",
            "jsonb_each", "pg_json_entries",
            "json_each_text", "pg_json_text_entries",
            "jsonb_each_text", "pg_json_text_entries");

    /** Functions that split a text into rows. */
    private static final Map<String, String> PIECES =
            Map.of("regexp_split_to_table", "regexp_split_to_array", "string_to_table", "string_to_array");

    private TableFunctions() {}

    /** Rewrites a table function; returns whether it became a subquery. */
    public static boolean apply(ObjectNode table, ParsedSql parser) {
        ObjectNode function = (ObjectNode) table.get("function");
        String name = function.path("function_name").asText();
        boolean cuts = PIECES.containsKey(name);
        String list = cuts ? PIECES.get(name) : LISTS.get(name);
        if (list == null || function.path("arguments").size() != (cuts ? 2 : 1)) {
            return false;
        }
        KnownFunctions.rename(function, list);
        if (name.contains("each")) {
            pairs(table, function, parser, name);
            return true;
        }
        Dialect.wrap(function, "unnest");
        JsonNode given = table.path("column_name_alias");
        if (given.isEmpty()) {
            String alias = table.path("alias").asText();
            String usual = cuts || name.endsWith("keys") ? name : "value";
            table.putArray("column_name_alias").add(alias.isEmpty() || alias.equals(name) ? usual : alias);
            table.put("alias", alias.isEmpty() ? name : alias);
        }
        return false;
    }

    /** Expands a list of pairs to the columns {@code key} and {@code value}, which takes a SELECT. */
    private static void pairs(ObjectNode table, ObjectNode list, ParsedSql parser, String name) {
        JsonNode statement = parser.parse("SELECT unnest(x, recursive := true)")
                .get("statements")
                .get(0);
        ((ObjectNode) statement.at("/node/select_list/0/arguments/0")).set("expression", list);
        String alias = table.path("alias").asText();
        JsonNode columns = table.path("column_name_alias");
        JsonNode location = table.path("query_location");
        table.removeAll();
        table.put("type", "SUBQUERY").put("alias", alias.isEmpty() ? name : alias);
        table.putNull("sample");
        table.set("query_location", location);
        table.set("subquery", statement);
        table.set("column_name_alias", columns.isMissingNode() ? table.arrayNode() : columns);
    }
}
