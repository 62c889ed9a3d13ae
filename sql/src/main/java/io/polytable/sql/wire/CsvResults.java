package io.polytable.sql.wire;

import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.Texts;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes a result as CSV: a header line, then the rows. NULL is an empty field, an empty text is {@code ""}. */
public final class CsvResults {
    public static final String CONTENT_TYPE = "text/csv; charset=utf-8";

    private CsvResults() {}

    static void write(OutputStream out, QueryRows rows) throws IOException {
        Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        Object[] names = rows.columns().stream().map(QueryRows.Output::name).toArray();
        line(writer, names);
        while (rows.next()) {
            line(writer, rows.row());
        }
        writer.flush();
    }

    private static void line(Writer writer, @Nullable Object[] values) throws IOException {
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                writer.append(',');
            }
            Object value = values[i];
            if (value != null) {
                writer.append(quoted(Texts.of(value)));
            }
        }
        writer.append('\n');
    }

    /** Quotes the text if a CSV parser would otherwise misread it: an empty text would be read as NULL. */
    public static String quoted(String text) {
        boolean plain = !text.isEmpty()
                && text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                && !text.startsWith(" ")
                && !text.endsWith(" ");
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
