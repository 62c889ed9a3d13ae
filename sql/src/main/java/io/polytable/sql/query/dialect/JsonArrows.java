package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.syntax.Folding;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Rewrites chains of arrows with constant steps, {@code doc -> 'a' -> 0 ->> 'b'}, to one call with a path. DuckDB reads
 * numbers of a document as DOUBLE and shows {@code 1.50} as {@code 1.5}; the macros read those from the text instead.
 */
final class JsonArrows {
    private static final String TEXT = "->>";

    private JsonArrows() {}

    static void apply(ObjectNode function, String name) {
        Deque<String> steps = new ArrayDeque<>();
        JsonNode base = function;
        while (isArrow(base)) {
            String step = step(Dialect.argument((ObjectNode) base, 1));
            // A pointer stands for a whole path, so that nothing can stand before or behind it.
            if (step.isEmpty() || (step.startsWith("/") && (!steps.isEmpty() || isArrow(left(base))))) {
                return;
            }
            steps.push(step);
            base = left(base);
        }
        if (isRepeatable(base) && !steps.isEmpty()) {
            String path = String.join("", steps);
            call(
                    function,
                    name.equals(TEXT) ? "pg_json_text_at" : "pg_json_at",
                    base.deepCopy(),
                    path.startsWith("/") ? path : "$" + path);
        }
    }

    private static boolean isArrow(JsonNode node) {
        String name = node.path("function_name").asText();
        return (name.equals(TEXT) || name.equals(Folding.ARROW))
                && node.path("arguments").size() == 2;
    }

    private static JsonNode left(JsonNode arrow) {
        return Dialect.argument((ObjectNode) arrow, 0);
    }

    /** The macro repeats the document. */
    private static boolean isRepeatable(JsonNode base) {
        JsonNode inner = base.path("class").asText().equals("CAST") ? base.path("child") : base;
        String kind = inner.path("class").asText();
        return kind.equals("COLUMN_REF") || kind.equals("CONSTANT");
    }

    /** A step as part of DuckDB's path; empty if it is no constant, or one that a path cannot have. */
    private static String step(JsonNode node) {
        String text = node.path("literal").path("text").asText();
        if (Dialect.isConstant(node, "INTEGER") && text.matches("-?\\d{1,9}")) {
            return text.startsWith("-") ? "[#" + text + "]" : "[" + text + "]";
        }
        if (!Dialect.isConstant(node, "STRING") || text.isEmpty()) {
            return "";
        }
        if (text.startsWith("/")) {
            return text;
        }
        boolean plain = !text.startsWith("$") && text.indexOf('"') < 0 && text.indexOf('\\') < 0;
        return plain ? ".\"" + text + "\"" : "";
    }

    private static void call(ObjectNode function, String name, JsonNode document, String path) {
        ArrayNode arguments = function.putArray("arguments");
        arguments.addObject().put("name", "").set("expression", document);
        ObjectNode constant = arguments.addObject().put("name", "").putObject("expression");
        constant.put("class", "CONSTANT").put("type", "VALUE_CONSTANT").put("alias", "");
        constant.putObject("literal").put("kind", "STRING").put("text", path);
        Dialect.operatorBecomes(function, name);
    }
}
