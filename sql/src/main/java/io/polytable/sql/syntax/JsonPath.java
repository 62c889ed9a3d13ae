package io.polytable.sql.syntax;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;

/** Paths into JSON documents, which PostgreSQL writes as a list of text: <code>{a,"b c",0}</code>. */
public final class JsonPath {
    private JsonPath() {}

    /** The steps of a path; throws if the text is not a list. */
    public static List<String> steps(String text) {
        String list = text.strip();
        if (!list.startsWith("{") || !list.endsWith("}") || list.length() < 2) {
            throw malformed(text);
        }
        List<String> steps = new ArrayList<>();
        int at = 1;
        int end = list.length() - 1;
        while (at < end || !steps.isEmpty()) {
            StringBuilder step = new StringBuilder();
            at = step(list, at, end, step);
            steps.add(step.toString());
            if (at >= end) {
                break;
            }
            at++;
        }
        boolean blank = steps.size() == 1 && list.substring(1, end).isBlank();
        return blank ? List.of() : steps;
    }

    /** Reads a step up to the comma or the end, and returns where that is. */
    private static int step(String list, int from, int end, StringBuilder step) {
        boolean quoted = false;
        boolean wasQuoted = false;
        int at = from;
        for (; at < end && (quoted || list.charAt(at) != ','); at++) {
            char c = list.charAt(at);
            if (c == '\\' && at + 1 < end) {
                step.append(list.charAt(++at));
            } else if (c == '"') {
                quoted = !quoted;
                wasQuoted = true;
            } else if (!quoted && (c == '{' || c == '}')) {
                throw malformed(list);
            } else if (quoted || !(Character.isWhitespace(c) && (wasQuoted || step.isEmpty()))) {
                step.append(c);
            }
        }
        while (!wasQuoted && !step.isEmpty() && Character.isWhitespace(step.charAt(step.length() - 1))) {
            step.setLength(step.length() - 1);
        }
        boolean missing =
                step.isEmpty() && !wasQuoted && !list.substring(1, end).isBlank();
        if (quoted || missing) {
            throw malformed(list);
        }
        return at;
    }

    private static SqlError malformed(String text) {
        return new SqlError(SqlCode.INVALID_VALUE, "malformed array literal: \"" + text + "\"");
    }

    /** The JSON pointer of the steps, as DuckDB's functions take it; without steps, the path of the whole document. */
    public static String pointer(List<String> steps) {
        if (steps.isEmpty()) {
            return "$";
        }
        StringBuilder pointer = new StringBuilder();
        steps.forEach(step -> pointer.append('/').append(step.replace("~", "~0").replace("/", "~1")));
        return pointer.toString();
    }

    /** The steps as a JSON list of texts. */
    public static String list(List<String> steps) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        steps.forEach(list::add);
        return list.toString();
    }
}
