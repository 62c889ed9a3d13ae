package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Functions that return the time. In PostgreSQL it is the time at which the transaction began, so DuckDB's own
 * functions, which know only the query's, become parameters.
 */
public final class TimeFunctions {
    /** The name of the parameter for the transaction's time; no client can write it. */
    public static final String NOW = "now()";

    /** The name of the parameter for the statement's time. */
    public static final String STATEMENT = "statement_timestamp()";

    private static final String MOMENT = "timestamptz";

    private TimeFunctions() {}

    /** Replaces a call without arguments, or a name without parentheses; returns whether it is such a function. */
    static boolean replace(ObjectNode node, String name) {
        if (!node.path("arguments").isEmpty()) {
            return false;
        }
        switch (name) {
            case "now", "transaction_timestamp", "current_timestamp", "get_current_timestamp" ->
                cast(node, name, NOW, MOMENT, MOMENT);
            case "statement_timestamp" -> cast(node, name, STATEMENT, MOMENT, MOMENT);
            case "current_date", "today" -> cast(node, name, NOW, MOMENT, "date");
            case "current_time", "get_current_time" -> cast(node, name, NOW, MOMENT, "timetz");
            case "localtime" -> cast(node, name, NOW, "timestamp", "time");
            case "localtimestamp" -> cast(node, name, NOW, "timestamp", "timestamp");
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void cast(ObjectNode node, String name, String parameter, String first, String type) {
        boolean bare = node.has("column_names");
        String given = node.path("alias").asText();
        String alias = given.isEmpty() && bare ? name : given;
        JsonNode location = node.path("query_location");
        node.removeAll();
        castTo(node, alias, location, type);
        ObjectNode inner = node;
        if (!type.equals(first)) {
            inner = node.putObject("child");
            castTo(inner, "", location, first);
        }
        ObjectNode child = inner.putObject("child");
        child.put("class", "PARAMETER");
        child.put("type", "VALUE_PARAMETER");
        child.put("alias", "");
        child.set("query_location", location);
        child.put("identifier", parameter);
    }

    private static void castTo(ObjectNode node, String alias, JsonNode location, String type) {
        node.put("class", "CAST");
        node.put("type", "OPERATOR_CAST");
        node.put("alias", alias);
        node.set("query_location", location);
        node.put("try_cast", false);
        ObjectNode name = node.putObject("type_expr");
        name.put("class", "TYPE");
        name.put("type", "TYPE");
        name.put("alias", "");
        name.set("query_location", location);
        name.put("catalog", "");
        name.put("schema", "");
        name.put("type_name", type);
        name.putArray("children");
        name.putObject("qualified_name").putArray("path").add(type);
    }
}
