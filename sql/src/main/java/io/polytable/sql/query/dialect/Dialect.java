package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.syntax.Folding;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.DateTimeParser;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import java.util.Set;

/**
 * Rewrites DuckDB's parse tree of a query where PostgreSQL gives the same text another meaning: casts of literals, row
 * comparisons, column names of VALUES, set-returning functions. {@link FunctionShapes} does the same for functions.
 */
public final class Dialect {
    private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "%");

    /** Our operator for {@code ||} between JSON documents. */
    static final String CONCATENATION = "~|";

    /** Our operator for {@code -} after a JSON document. */
    static final String REMOVAL = "~-";

    /** Aggregates whose result depends on the order of their input. */
    private static final Set<String> ORDERED = Set.of("array_agg", "list", "string_agg", "json_agg", "jsonb_agg");

    private static final Set<String> TEXTS = Set.of("VARCHAR", "varchar", "text", "string");

    private static final Set<String> LEAVES = Set.of("COLUMN_REF", "CONSTANT", "PARAMETER");

    private static final String AS_TEXT = "pg_cast_text";

    private final ResultNames names;
    private final boolean exact;

    /**
     * @param text the parsed text: only it distinguishes EXTRACT from {@code date_part}
     * @param exact whether quotients and averages of decimals are decimals; otherwise they are of type DOUBLE
     */
    public Dialect(String text, boolean exact) {
        names = new ResultNames(text);
        this.exact = exact;
    }

    /** Whether DuckDB may reject the tree because it does not know the type of an operand. */
    public static boolean needsTypes(JsonNode node) {
        return NumericShapes.asksForKinds(node);
    }

    public void apply(JsonNode node) {
        if (node instanceof ObjectNode object) {
            one(object);
        }
        node.forEach(this::apply);
    }

    private void one(ObjectNode node) {
        switch (node.path("class").asText()) {
            case "LAMBDA" -> arrowBeforeNullTest(node, node.path("expr"));
            case "CAST" -> cast(node);
            case "CONSTANT" -> NumericShapes.literal(node);
            case "COMPARISON" -> {
                MixedLiterals.apply(node);
                compareRows(node);
            }
            case "BETWEEN" -> MixedLiterals.apply(node);
            case "OPERATOR" -> {
                MixedLiterals.apply(node);
                nullRow(node);
            }
            case "FUNCTION" -> function(node);
            case "WINDOW" -> mean(node);
            default -> other(node);
        }
    }

    private void other(ObjectNode node) {
        // Before any rewriting: PostgreSQL names a column after the expression as written.
        names.apply(node);
        if (node.path("type").asText().equals("EXPRESSION_LIST")
                && node.path("expected_names").isEmpty()) {
            ArrayNode names = node.putArray("expected_names");
            for (int i = 1; i <= node.path("values").path(0).size(); i++) {
                names.add("column" + i);
            }
        }
        for (JsonNode item : node.path("select_list")) {
            if (item.path("function_name").asText().equals("generate_series")) {
                wrap((ObjectNode) item, "unnest");
            }
        }
    }

    private static boolean isNullTest(JsonNode node) {
        String type = node.path("type").asText();
        return type.equals("OPERATOR_IS_NULL") || type.equals("OPERATOR_IS_NOT_NULL");
    }

    /** {@code a -> 'b' IS NULL} tests the result of the arrow; in DuckDB the arrow binds weaker than IS. */
    private static void arrowBeforeNullTest(ObjectNode arrow, JsonNode right) {
        if (!isNullTest(right)) {
            return;
        }
        ObjectNode inner = arrow.deepCopy();
        inner.set("expr", right.path("children").get(0));
        become(arrow, (ObjectNode) right.deepCopy());
        arrow.putArray("children").add(inner);
    }

    static void become(ObjectNode node, ObjectNode other) {
        JsonNode alias = node.path("alias");
        node.removeAll();
        node.setAll(other);
        node.set("alias", alias);
    }

    /** PostgreSQL sorts to find distinct values, and the result shows that order. */
    private static void distinctInOrder(ObjectNode function) {
        ArrayNode orders = (ArrayNode) function.path("order_bys").path("orders");
        if (function.path("distinct").asBoolean() && orders.isEmpty()) {
            orders.addObject()
                    .put("type", "ORDER_DEFAULT")
                    .put("null_order", "ORDER_DEFAULT")
                    .set("expression", argument(function, 0).deepCopy());
        }
    }

    private void function(ObjectNode function) {
        String name = function.path("function_name").asText();
        JsonNode arguments = function.path("arguments");
        withoutConstantOrder(function);
        if (ORDERED.contains(name) && !arguments.isEmpty()) {
            distinctInOrder(function);
        }
        if (name.equals("||") && arguments.size() == 2) {
            FunctionShapes.joinLists(function, argument(function, 0), argument(function, 1));
            name = function.path("function_name").asText();
            arguments = function.path("arguments");
        }
        boolean arrow = name.equals("->>") || name.equals(Folding.ARROW);
        if (arrow && arguments.size() == 2 && isNullTest(argument(function, 1))) {
            ObjectNode test = argument(function, 1).deepCopy();
            ObjectNode inner = function.deepCopy();
            ((ObjectNode) inner.path("arguments").get(1))
                    .set("expression", test.path("children").get(0));
            become(function, test);
            function.putArray("children").add(inner);
        } else if (arguments.size() == 2 && (isJson(argument(function, 0)) || isJson(argument(function, 1)))) {
            json(function, name);
        } else if (ARITHMETIC.contains(name) && arguments.size() == 2) {
            number(argument(function, 0), argument(function, 1));
            number(argument(function, 1), argument(function, 0));
            daysBetween(argument(function, 0));
            daysBetween(argument(function, 1));
        }
        if (exact) {
            NumericShapes.operator(function, name);
        }
        mean(function);
    }

    private void mean(ObjectNode function) {
        if (exact) {
            NumericShapes.mean(function);
        }
    }

    /** A constant orders nothing, and DuckDB rejects it. */
    private static void withoutConstantOrder(ObjectNode function) {
        if (function.path("order_bys").path("orders") instanceof ArrayNode orders) {
            for (int i = orders.size() - 1; i >= 0; i--) {
                if (orders.get(i).path("expression").path("class").asText().equals("CONSTANT")) {
                    orders.remove(i);
                }
            }
        }
    }

    /** The difference of two dates is an INT that a date can be added to; DuckDB's is a BIGINT. */
    private static void daysBetween(ObjectNode operand) {
        if (operand.path("function_name").asText().equals("-")
                && operand.path("arguments").size() == 2
                && !NumericShapes.isUnrepeatable(operand)) {
            operatorBecomes(operand, "pg_minus");
        }
    }

    private static boolean isJson(JsonNode node) {
        if (node.path("function_name").asText().equals(Folding.ARROW)) {
            return true;
        }
        String type = node.path("type_expr").path("type_name").asText();
        return type.equalsIgnoreCase("json") || type.equalsIgnoreCase("jsonb");
    }

    /** Replaces an operator whose operand is known to be a JSON document. */
    public static void json(ObjectNode function, String operator) {
        switch (operator) {
            case "@>" -> operatorBecomes(function, "json_contains");
            case "<@" -> {
                ArrayNode arguments = (ArrayNode) function.get("arguments");
                arguments.add(arguments.remove(0));
                operatorBecomes(function, "json_contains");
            }
            case "||" -> KnownFunctions.rename(function, CONCATENATION);
            case "-" -> KnownFunctions.rename(function, REMOVAL);
            default -> {}
        }
    }

    static void operatorBecomes(ObjectNode function, String name) {
        KnownFunctions.rename(function, name);
        function.put("is_operator", false);
    }

    public static ObjectNode argument(ObjectNode function, int index) {
        return (ObjectNode) function.path("arguments").get(index).path("expression");
    }

    public static boolean isConstant(JsonNode node, String kind) {
        return node.path("class").asText().equals("CONSTANT")
                && node.path("literal").path("kind").asText().equals(kind);
    }

    /** A quoted number in arithmetic with a value that is no string is that number. */
    private static void number(ObjectNode literal, JsonNode other) {
        if (!isConstant(literal, "STRING") || isConstant(other, "STRING")) {
            return;
        }
        String text = literal.path("literal").path("text").asText();
        if (text.matches("\\d{1,18}")) {
            literal.putObject("literal").put("kind", "INTEGER").put("text", text);
        } else if (isConstant(other, "INTEGER") && !text.matches("[-+]?[\\d.]+([eE][-+]?\\d+)?")) {
            throw new SqlError(SqlCode.INVALID_VALUE, "invalid input syntax for type integer: \"" + text + "\"");
        }
    }

    // --- casts -----------------------------------------------------------------------------------------------------

    private void cast(ObjectNode cast) {
        ObjectNode type = (ObjectNode) cast.path("type_expr");
        if (type.path("type_name").asText().equals("DECIMAL")) {
            NumericShapes.cast(cast, exact);
            return;
        }
        if (type.path("type_name").asText().equalsIgnoreCase("jsonb")) {
            type.put("type_name", "JSON");
            type.putObject("qualified_name").putArray("path").add("JSON");
        }
        if (isConstant(cast.path("child"), "STRING")) {
            literal(
                    (ObjectNode) cast.path("child").path("literal"),
                    type.path("type_name").asText());
        }
        boolean text = isToText(cast)
                && !isToText(cast.path("child"))
                && !cast.path("child").path("function_name").asText().startsWith(AS_TEXT)
                && !isConstant(cast.path("child"), "STRING")
                && !cast.path("child").path("class").asText().equals("PARAMETER");
        if (text) {
            asText((ObjectNode) cast.path("child"), AS_TEXT);
        }
        boolean bounded = type.path("type_name").asText().equals("VARCHAR")
                && isConstant(type.path("children").path(0), "INTEGER");
        if (bounded) {
            JsonNode length = type.path("children").get(0);
            type.putArray("children");
            wrap(cast, "left");
            ((ArrayNode) cast.path("arguments")).addObject().put("name", "").set("expression", length);
        }
    }

    private static boolean isToText(JsonNode node) {
        return node.path("class").asText().equals("CAST")
                && TEXTS.contains(node.path("type_expr").path("type_name").asText())
                && !node.path("try_cast").asBoolean();
    }

    /** Wraps the node in a macro, which repeats its argument; a costly one goes to the variant that evaluates once. */
    static void asText(ObjectNode node, String macro) {
        boolean small = isLeaf(node) || node.path("class").asText().equals("FUNCTION");
        for (JsonNode argument : node.path("arguments")) {
            small &= isLeaf(argument.path("expression"));
        }
        wrap(node, small ? macro : macro + "_once");
    }

    private static boolean isLeaf(JsonNode node) {
        return LEAVES.contains(node.path("class").asText());
    }

    /** Writes the text of a literal as DuckDB reads it for the type. */
    static void literal(ObjectNode literal, String type) {
        String text = literal.path("text").asText();
        switch (type) {
            case "INTEGER" -> checked(SqlType.INT, text);
            case "BIGINT" -> checked(SqlType.BIGINT, text);
            case "SMALLINT" -> checked(SqlType.SMALLINT, text);
            case "date", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "timestamptz" ->
                literal.put("text", DateTimeParser.iso(text));
            case "TIME" -> literal.put("text", DateTimeParser.isoTime(text));
            case "BOOLEAN", "boolean", "bool" -> literal.put("text", String.valueOf(Casts.to(SqlType.BOOLEAN, text)));
            case "BLOB", "BYTEA", "bytea", "blob" -> literal.put("text", blob(Texts.toBytes(text)));
            case "list" -> {
                if (text.startsWith("{") && text.endsWith("}")) {
                    literal.put("text", text.replace('{', '[').replace('}', ']'));
                }
            }
            default -> {}
        }
    }

    private static void checked(SqlType type, String text) {
        Object unused = Casts.to(type, text);
    }

    /** The bytes in DuckDB's text form of a blob. */
    public static String blob(Bytes bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length(); i++) {
            text.append(String.format("\\x%02X", bytes.at(i) & 0xff));
        }
        return text.toString();
    }

    /** Replaces the node by a call of the function with the node as its only argument. */
    static void wrap(ObjectNode node, String function) {
        ObjectNode inner = node.deepCopy();
        JsonNode alias = node.path("alias");
        inner.put("alias", "");
        node.removeAll();
        node.put("class", "FUNCTION").put("type", "FUNCTION");
        node.set("alias", alias);
        node.set("query_location", inner.path("query_location"));
        node.put("function_name", function);
        node.put("schema", "").put("catalog", "");
        node.putNull("filter");
        node.putObject("order_bys").put("type", "ORDER_MODIFIER").putArray("orders");
        node.put("distinct", false).put("is_operator", false).put("export_state", false);
        node.putArray("arguments").addObject().put("name", "").set("expression", inner);
        node.putObject("qualified_name").putArray("path").add(function);
    }

    // --- rows ------------------------------------------------------------------------------------------------------

    private static boolean isRow(JsonNode node) {
        return node.path("function_name").asText().equals("row");
    }

    /** Compares rows value by value: equal if all pairs are, NULL if a pair is unknown and no other pair decides. */
    private static void compareRows(ObjectNode comparison) {
        String type = comparison.path("type").asText();
        boolean equal = type.equals("COMPARE_EQUAL");
        if (type.startsWith("COMPARE_LESSTHAN") || type.startsWith("COMPARE_GREATERTHAN")) {
            orderRows(comparison, type);
            return;
        }
        JsonNode left = comparison.path("left");
        JsonNode right = comparison.path("right");
        int width = left.path("arguments").size();
        boolean rows = isRow(left)
                && isRow(right)
                && width > 0
                && width == right.path("arguments").size();
        if (!rows || !(equal || type.equals("COMPARE_NOTEQUAL"))) {
            return;
        }
        ObjectNode all = comparison.objectNode();
        all.put("class", "CONJUNCTION").put("type", equal ? "CONJUNCTION_AND" : "CONJUNCTION_OR");
        all.set("query_location", comparison.path("query_location"));
        ArrayNode children = all.putArray("children");
        for (int i = 0; i < width; i++) {
            ObjectNode pair = comparison.deepCopy();
            pair.put("alias", "");
            pair.set("left", left.path("arguments").get(i).path("expression"));
            pair.set("right", right.path("arguments").get(i).path("expression"));
            children.add(pair);
        }
        become(comparison, all);
    }

    /** Orders rows by the first pair of values that differ: {@code a < c OR (a = c AND b < d)}. */
    private static void orderRows(ObjectNode comparison, String type) {
        JsonNode left = comparison.path("left");
        JsonNode right = comparison.path("right");
        int width = left.path("arguments").size();
        if (!isRow(left) || !isRow(right) || width != right.path("arguments").size()) {
            return;
        }
        String strict = type.replace("OREQUALTO", "");
        ObjectNode whole = pair(comparison, width - 1, type);
        for (int i = width - 2; i >= 0; i--) {
            ObjectNode same = comparison.objectNode();
            same.put("class", "CONJUNCTION").put("type", "CONJUNCTION_AND").put("alias", "");
            same.putArray("children").add(pair(comparison, i, "COMPARE_EQUAL")).add(whole);
            whole = comparison.objectNode();
            whole.put("class", "CONJUNCTION").put("type", "CONJUNCTION_OR").put("alias", "");
            whole.putArray("children").add(pair(comparison, i, strict)).add(same);
        }
        become(comparison, whole);
    }

    /** Compares one pair. The nodes are copied: a shared node would later be rewritten twice. */
    private static ObjectNode pair(ObjectNode comparison, int index, String type) {
        ObjectNode pair = comparison.deepCopy();
        pair.put("type", type).put("alias", "");
        pair.set("left", argument((ObjectNode) pair.path("left"), index));
        pair.set("right", argument((ObjectNode) pair.path("right"), index));
        return pair;
    }

    /** A row IS NULL if all its values are, and IS NOT NULL if none of them is. */
    private static void nullRow(ObjectNode test) {
        JsonNode row = test.path("children").path(0);
        if (!isNullTest(test) || !isRow(row) || row.path("arguments").isEmpty()) {
            return;
        }
        ObjectNode all = test.objectNode();
        all.put("class", "CONJUNCTION").put("type", "CONJUNCTION_AND");
        all.set("query_location", test.path("query_location"));
        ArrayNode children = all.putArray("children");
        for (JsonNode value : row.path("arguments")) {
            ObjectNode single = test.deepCopy();
            single.put("alias", "");
            single.putArray("children").add(value.path("expression"));
            children.add(single);
        }
        become(test, all);
    }
}
