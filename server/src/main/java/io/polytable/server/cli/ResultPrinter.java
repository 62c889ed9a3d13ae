package io.polytable.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.sql.wire.CsvResults;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints results: as a table for people, as CSV or JSON for programs. */
final class ResultPrinter {
    /** The output formats. */
    enum Form {
        TABLE,
        CSV,
        JSON
    }

    private static final int PLAIN_SCALE_MAX = 40;

    /** Columns are not padded beyond this width: one long value would widen every line. */
    private static final int PADDED_CHARS_MAX = 200;

    private final PrintWriter out;
    private Form form = Form.TABLE;
    private boolean timing;

    ResultPrinter(PrintWriter out) {
        this.out = out;
    }

    void form(Form wanted) {
        form = wanted;
    }

    boolean toggleTiming() {
        timing = !timing;
        return timing;
    }

    /** Prints a result; returns false for an error, which is printed elsewhere. */
    boolean print(JsonNode answer, PrintWriter err) {
        return print(answer, 0, err);
    }

    /** @param lines how many lines of a file precede the text */
    boolean print(JsonNode answer, int lines, PrintWriter err) {
        for (JsonNode result : answer.path("results")) {
            if (result.path("schema").isEmpty()) {
                if (form == Form.TABLE) {
                    out.println(result.path("message").asText());
                }
            } else {
                rows(result);
            }
            out.flush();
            result.path("notices")
                    .forEach(notice ->
                            err.println("WARNING: " + notice.path("message").asText()));
            err.flush();
        }
        out.flush();
        if (answer.has("error")) {
            error(answer.get("error"), lines, err);
            return false;
        }
        if (timing) {
            out.printf(Locale.ROOT, "Time: %.3f ms%n", answer.path("took").asDouble());
            out.flush();
        }
        return true;
    }

    /** @param lines how many lines of a file precede the text that the error's place is in */
    private static void error(JsonNode error, int lines, PrintWriter err) {
        JsonNode details = error.path("details");
        String place = details.has("line")
                ? " (line " + (lines + details.get("line").asInt()) + ", column "
                        + details.get("column").asInt() + ")"
                : "";
        err.println("ERROR " + error.path("code").asText() + ": "
                + error.path("message").asText() + place);
        err.flush();
    }

    private void rows(JsonNode result) {
        switch (form) {
            case TABLE -> table(result);
            case CSV -> csv(result);
            case JSON -> out.println(result.get("rows"));
        }
    }

    private void csv(JsonNode result) {
        List<String> names = new ArrayList<>();
        result.get("schema")
                .forEach(
                        column -> names.add(CsvResults.quoted(column.get("name").asText())));
        out.println(String.join(",", names));
        for (JsonNode row : result.get("rows")) {
            List<String> values = new ArrayList<>();
            row.forEach(value -> values.add(value.isNull() ? "" : CsvResults.quoted(text(value))));
            out.println(String.join(",", values));
        }
    }

    private void table(JsonNode result) {
        List<List<String>> lines = new ArrayList<>();
        List<String> names = new ArrayList<>();
        result.get("schema").forEach(column -> names.add(column.get("name").asText()));
        lines.add(names);
        for (JsonNode row : result.get("rows")) {
            List<String> values = new ArrayList<>();
            row.forEach(value -> values.add(value.isNull() ? "" : cell(text(value))));
            lines.add(values);
        }
        int[] widths = new int[names.size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], Math.min(line.get(i).length(), PADDED_CHARS_MAX));
            }
        }
        for (int i = 0; i < lines.size(); i++) {
            out.println(line(lines.get(i), widths));
            if (i == 0) {
                out.println(ruler(widths));
            }
        }
        int count = lines.size() - 1;
        out.println("(" + count + (count == 1 ? " row)" : " rows)"));
    }

    /** Plain decimal notation; very large and very small numbers with an exponent. */
    private static String text(JsonNode value) {
        boolean plain = value.isBigDecimal() && Math.abs(value.decimalValue().scale()) <= PLAIN_SCALE_MAX;
        return plain ? value.decimalValue().toPlainString() : value.asText();
    }

    private static String cell(String text) {
        return text.replace("\n", "\\n").replace("\t", "\\t");
    }

    private static String line(List<String> values, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? " " : " | ").append(values.get(i));
            line.append(" ".repeat(Math.max(0, widths[i] - values.get(i).length())));
        }
        return line.toString().stripTrailing();
    }

    private static String ruler(int[] widths) {
        List<String> parts = new ArrayList<>();
        for (int width : widths) {
            parts.add("-".repeat(width + 2));
        }
        return String.join("+", parts);
    }
}
