package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.syntax.Folding;
import io.polytable.sql.syntax.JsonPath;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Rewrites function calls with several signatures or any number of arguments to what our macros take. */
final class FunctionShapes {
    private static final int GROUPS_MAX = 4;

    private static final Pattern PLAIN_LIST = Pattern.compile("\\{[^{}\"\\\\]*}");

    private FunctionShapes() {}

    static void apply(ObjectNode function, String name) {
        int arguments = function.path("arguments").size();
        switch (name) {
            case Dialect.CONCATENATION -> Dialect.operatorBecomes(function, "pg_json_concat");
            case Dialect.REMOVAL -> Dialect.operatorBecomes(function, "pg_json_without");
            case "concat", "concat_ws" -> {
                for (int i = 0; i < arguments; i++) {
                    Dialect.asText(Dialect.argument(function, i), "pg_text");
                }
            }
            case Folding.ARROW, "->>" -> {
                JsonArrows.apply(function, name);
                if (function.path("function_name").asText().equals(Folding.ARROW)) {
                    Dialect.operatorBecomes(function, "json_extract");
                }
            }
            case Folding.XOR -> Dialect.operatorBecomes(function, "xor");
            case "format" -> {
                packed(function, 1);
                KnownFunctions.rename(function, "pg_format_any");
            }
            case "num_nulls", "num_nonnulls" -> packed(function, 0);
            case "to_timestamp" -> renamed(function, arguments == 2, "pg_to_timestamp");
            case "regexp_match" -> KnownFunctions.rename(function, "pg_regexp_match_" + groups(function));
            case "regexp_matches" -> renamed(function, !isOperator(function), "pg_regexp_matches");
            case "regexp_full_match" -> similar(function);
            case "date_part", "datepart" -> seconds(function);
            case "lpad", "rpad" -> {
                if (arguments == 2) {
                    text((ArrayNode) function.get("arguments"), " ");
                }
                KnownFunctions.rename(function, "pg_" + name);
            }
            case "substring", "substr" -> substring(function, arguments);
            case "array_to_string" -> renamed(function, arguments == 3, "pg_array_to_string");
            case "encode" -> renamed(function, arguments == 2, "pg_encode");
            case "decode" -> renamed(function, arguments == 2, "pg_decode");
            case "split_part" -> renamed(function, arguments == 3, "pg_split_part");
            case "to_hex" -> {
                // The type of a parameter is unknown, so that no variant could be selected by it.
                boolean typed = arguments == 1 && !NumericShapes.isUnrepeatable(function);
                KnownFunctions.rename(function, typed ? "pg_to_hex_typed" : "pg_to_hex");
            }
            case "div" -> KnownFunctions.rename(function, "divide");
            case "date_trunc" -> truncated(function);
            case "regexp_replace" -> {
                if (arguments > 2 && Dialect.isConstant(Dialect.argument(function, 2), "STRING")) {
                    ObjectNode literal =
                            (ObjectNode) Dialect.argument(function, 2).path("literal");
                    literal.put("text", replacement(literal.path("text").asText()));
                }
            }
            case "chr" -> renamed(function, arguments == 1, "pg_chr");
            case "log" -> renamed(function, arguments == 1, "pg_log");
            default -> json(function, name);
        }
    }

    private static void json(ObjectNode function, String name) {
        switch (name) {
            case "json_agg", "jsonb_agg" -> {
                KnownFunctions.rename(function, "list");
                Dialect.wrap(function, "to_json");
            }
            // The order of an object's keys has no meaning, and DuckDB's function does not accept ORDER BY.
            case "json_object_agg", "jsonb_object_agg" ->
                function.putObject("order_bys").put("type", "ORDER_MODIFIER").putArray("orders");
            case "json_extract_path", "jsonb_extract_path" -> path(function, "json_extract");
            case "json_extract_path_text", "jsonb_extract_path_text" -> path(function, "json_extract_string");
            case "jsonb_set" -> set(function);
            default -> {}
        }
    }

    private static void renamed(ObjectNode function, boolean condition, String name) {
        if (condition) {
            KnownFunctions.rename(function, name);
        }
    }

    /** A century begins with its year 1, as in PostgreSQL; DuckDB's with its year 0. */
    private static void truncated(ObjectNode function) {
        ArrayNode arguments = (ArrayNode) function.get("arguments");
        JsonNode part = arguments.path(0).path("expression");
        if (arguments.size() != 2) {
            return;
        }
        if (!Dialect.isConstant(part, "STRING")) {
            KnownFunctions.rename(function, "pg_date_trunc");
            return;
        }
        String years = switch (part.path("literal").path("text").asText().toLowerCase(Locale.ROOT)) {
            case "century", "centuries", "c" -> "100";
            case "millennium", "millennia", "mil" -> "1000";
            default -> "";
        };
        if (!years.isEmpty()) {
            arguments.remove(0);
            ObjectNode span = arguments.addObject().put("name", "").putObject("expression");
            span.put("class", "CONSTANT").put("type", "VALUE_CONSTANT").put("alias", "");
            span.putObject("literal").put("kind", "INTEGER").put("text", years);
            KnownFunctions.rename(function, "pg_years");
        }
    }

    /** PostgreSQL's replacement in RE2's syntax: the whole match is 0, and other characters may follow a backslash. */
    private static String replacement(String text) {
        StringBuilder written = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char next = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
            if (c != '\\') {
                written.append(c);
            } else if (next == '&') {
                written.append("\\0");
                i++;
            } else if (next == '\\' || (next >= '1' && next <= '9')) {
                written.append(c).append(next);
                i++;
            } else {
                written.append("\\\\");
            }
        }
        return written.toString();
    }

    /** Whether the call was {@code ~} or SIMILAR TO: DuckDB's parser locates those after their first operand. */
    static boolean isOperator(JsonNode function) {
        JsonNode first = function.path("arguments").path(0).path("expression");
        return function.path("query_location").asLong()
                > first.path("query_location").asLong();
    }

    private static void similar(ObjectNode function) {
        if (isOperator(function)) {
            Dialect.wrap(Dialect.argument(function, 1), "pg_similar");
            KnownFunctions.rename(function, "regexp_matches");
        }
    }

    /** In PostgreSQL the parts {@code second} and {@code millisecond} have a fraction. */
    private static void seconds(ObjectNode function) {
        JsonNode part = function.path("arguments").path(0).path("expression");
        String name = part.path("literal").path("text").asText().toLowerCase(Locale.ROOT);
        String macro = switch (name) {
            case "second", "seconds" -> "pg_seconds";
            case "millisecond", "milliseconds" -> "pg_milliseconds";
            default -> "";
        };
        if (Dialect.isConstant(part, "STRING") && !macro.isEmpty()) {
            ((ArrayNode) function.get("arguments")).remove(0);
            KnownFunctions.rename(function, macro);
        }
    }

    private static void substring(ObjectNode function, int arguments) {
        if (arguments == 2 && Dialect.isConstant(Dialect.argument(function, 1), "STRING")) {
            KnownFunctions.rename(function, groups(function) > 0 ? "pg_substring_group" : "regexp_substr");
        } else {
            KnownFunctions.rename(function, arguments == 2 ? "pg_substring_from" : "pg_substring");
        }
    }

    private static void text(ArrayNode arguments, String text) {
        ObjectNode argument = arguments.addObject().put("name", "");
        ObjectNode constant = argument.putObject("expression");
        constant.put("class", "CONSTANT").put("type", "VALUE_CONSTANT").put("alias", "");
        constant.putObject("literal").put("kind", "STRING").put("text", text);
    }

    /** Replaces the path of {@code f(json, 'a', 'b')} by a JSON pointer. */
    private static void path(ObjectNode function, String name) {
        ArrayNode arguments = (ArrayNode) function.get("arguments");
        List<String> steps = new ArrayList<>();
        for (int i = 1; i < arguments.size(); i++) {
            JsonNode step = arguments.get(i).path("expression");
            if (!Dialect.isConstant(step, "STRING")) {
                return;
            }
            steps.add(step.path("literal").path("text").asText());
        }
        while (arguments.size() > 1) {
            arguments.remove(1);
        }
        text(arguments, JsonPath.pointer(steps));
        KnownFunctions.rename(function, name);
    }

    /** Replaces the path of {@code jsonb_set} by a JSON list, and adds the last argument if it is missing. */
    private static void set(ObjectNode function) {
        ArrayNode arguments = (ArrayNode) function.get("arguments");
        if (arguments.size() != 3 && arguments.size() != 4) {
            return;
        }
        ObjectNode path = Dialect.argument(function, 1);
        if (Dialect.isConstant(path, "STRING")) {
            ArrayNode steps = function.arrayNode();
            JsonPath.steps(path.path("literal").path("text").asText()).forEach(steps::add);
            path.putObject("literal").put("kind", "STRING").put("text", steps.toString());
        } else {
            Dialect.wrap(path, "to_json");
        }
        if (arguments.size() == 3) {
            text(arguments, "true");
        }
        KnownFunctions.rename(function, "pg_json_set");
    }

    /** Packs the arguments from an index on into one JSON list, because macros have a fixed number of parameters. */
    private static void packed(ObjectNode function, int from) {
        ArrayNode arguments = (ArrayNode) function.get("arguments");
        ObjectNode list = function.deepCopy();
        KnownFunctions.rename(list, "json_array");
        list.put("alias", "");
        ArrayNode items = list.putArray("arguments");
        while (arguments.size() > from) {
            items.add(arguments.remove(from));
        }
        arguments.addObject().put("name", "").set("expression", list);
    }

    /** The number of groups in a constant pattern; zero means the whole match. */
    private static int groups(ObjectNode function) {
        String text = function.path("arguments")
                .path(1)
                .path("expression")
                .path("literal")
                .path("text")
                .asText();
        int groups = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '[') {
                i = classEnd(text, i);
            } else if (c == '(' && !text.startsWith("(?", i)) {
                groups++;
            }
        }
        return Math.min(groups, GROUPS_MAX);
    }

    /** The place of the bracket that closes a character class: not the first character in it, nor in {@code [:alpha:]}. */
    private static int classEnd(String text, int open) {
        int at = text.startsWith("[^", open) ? open + 2 : open + 1;
        at += text.startsWith("]", at) ? 1 : 0;
        for (; at < text.length() && text.charAt(at) != ']'; at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.startsWith("[:", at)) {
                int end = text.indexOf(":]", at + 2);
                at = end < 0 ? at : end + 1;
            }
        }
        return at;
    }

    /** {@code ||} with a list literal: appends or prepends an element, concatenates another list. */
    static void joinLists(ObjectNode function, ObjectNode left, ObjectNode right) {
        if (isList(left) && isElement(right)) {
            Dialect.operatorBecomes(function, "array_append");
        } else if (isElement(left) && isList(right)) {
            Dialect.operatorBecomes(function, "array_prepend");
        } else if (isList(left) && isNull(right)) {
            Dialect.become(function, left.deepCopy());
        } else if (isNull(left) && isList(right)) {
            Dialect.become(function, right.deepCopy());
        } else if (isList(left) && isListText(right)) {
            joinText(function, left, right, false);
        } else if (isListText(left) && isList(right)) {
            joinText(function, right, left, true);
        }
    }

    private static boolean isList(JsonNode node) {
        return node.path("type").asText().equals("ARRAY_CONSTRUCTOR")
                || node.path("function_name").asText().equals("list_value");
    }

    private static boolean isElement(JsonNode node) {
        return node.path("class").asText().equals("CONSTANT") && !isNull(node) && !isListText(node);
    }

    /** NULL concatenated with a list counts as an empty list. */
    private static boolean isNull(JsonNode node) {
        return Dialect.isConstant(node, "NULL_LITERAL");
    }

    /** Whether a constant is a list as text: {@code '{a,b}'}. */
    private static boolean isListText(JsonNode node) {
        return Dialect.isConstant(node, "STRING")
                && node.path("literal").path("text").asText().strip().startsWith("{");
    }

    /** {@code ARRAY[1] || '{2,3}'}: the elements of the text get the type of the list's elements. */
    private static void joinText(ObjectNode function, ObjectNode list, ObjectNode text, boolean before) {
        String listed = text.path("literal").path("text").asText().strip();
        if (!PLAIN_LIST.matcher(listed).matches()) {
            throw new SqlError(SqlCode.UNSUPPORTED, "a list in quotes next to || has plain elements only: " + listed);
        }
        boolean call = list.has("arguments");
        ArrayNode items = (ArrayNode) list.path(call ? "arguments" : "children");
        int place = before ? 0 : items.size();
        String inner = listed.substring(1, listed.length() - 1).strip();
        for (String word : inner.isEmpty() ? new String[0] : inner.split(",", -1)) {
            ObjectNode item = text.deepCopy();
            boolean absent = word.strip().equalsIgnoreCase("null");
            item.putObject("literal")
                    .put("kind", absent ? "NULL_LITERAL" : "STRING")
                    .put("text", word.strip());
            ObjectNode argument = list.objectNode().put("name", "");
            argument.set("expression", item);
            items.insert(place++, call ? argument : item);
        }
        Dialect.become(function, list.deepCopy());
    }
}
