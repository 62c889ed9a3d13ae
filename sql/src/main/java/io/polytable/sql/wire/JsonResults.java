package io.polytable.sql.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.Texts;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes results as one JSON object: {@code {"status", "results": [...], "took", "error"?}}. Values of BIGINT and DECIMAL are
 * strings, because clients that read numbers as DOUBLE would change them; the schema has the types.
 */
final class JsonResults {
    static final String CONTENT_TYPE = "application/json";

    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private final JsonGenerator json;
    private final String user;
    private final boolean bareNumbers;

    /** @param bareNumbers whether BIGINT and DECIMAL are JSON numbers, of which many clients read only 53 bits */
    JsonResults(OutputStream out, String user, boolean bareNumbers) throws IOException {
        json = FACTORY.createGenerator(out);
        this.user = user;
        this.bareNumbers = bareNumbers;
        json.writeStartObject();
        json.writeArrayFieldStart("results");
    }

    void add(Outcome outcome) throws IOException {
        json.writeStartObject();
        if (outcome instanceof Outcome.Done done) {
            json.writeArrayFieldStart("schema");
            json.writeEndArray();
            json.writeArrayFieldStart("rows");
            json.writeEndArray();
            json.writeNumberField("row_count", done.rows());
            json.writeStringField("message", done.message());
            notices(done.notices());
        } else {
            try (QueryRows rows = ((Outcome.Rows) outcome).rows()) {
                write(rows);
            }
        }
        json.writeStringField("as_user", user);
        json.writeEndObject();
    }

    private void notices(List<Outcome.Notice> notices) throws IOException {
        if (notices.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("notices");
        for (Outcome.Notice notice : notices) {
            json.writeStartObject();
            json.writeStringField("severity", "WARNING");
            json.writeStringField("code", notice.code().name());
            json.writeStringField("sqlstate", notice.code().state());
            json.writeStringField("message", notice.text());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void write(QueryRows rows) throws IOException {
        json.writeArrayFieldStart("schema");
        List<QueryRows.Output> columns = rows.columns();
        for (int i = 0; i < columns.size(); i++) {
            json.writeStartObject();
            json.writeStringField("name", columns.get(i).name());
            json.writeStringField("data_type", columns.get(i).type().text());
            json.writeNumberField("index", i);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("rows");
        long count = 0;
        try {
            while (rows.next()) {
                json.writeStartArray();
                for (Object value : rows.row()) {
                    value(value);
                }
                json.writeEndArray();
                count++;
            }
        } finally {
            // Also after a failure in the middle of the result: the reply must stay valid JSON.
            if (json.getOutputContext().inArray()) {
                json.writeEndArray();
            }
            json.writeNumberField("row_count", count);
        }
    }

    private void value(@Nullable Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof Integer number) {
            json.writeNumber(number);
        } else if (value instanceof Long number) {
            exact(number.toString());
        } else if (value instanceof Double number) {
            floating(number);
        } else if (value instanceof Float number) {
            single(number);
        } else if (value instanceof BigDecimal number) {
            exact(number.toPlainString());
        } else if (value instanceof Boolean bool) {
            json.writeBoolean(bool);
        } else {
            json.writeString(Texts.of(value));
        }
    }

    private void exact(String digits) throws IOException {
        if (bareNumbers) {
            json.writeNumber(digits);
        } else {
            json.writeString(digits);
        }
    }

    /** As PostgreSQL writes it: widened to a double, it would show digits that it does not have. */
    private void single(Float number) throws IOException {
        if (number.isNaN() || number.isInfinite()) {
            json.writeString(number.toString());
        } else {
            json.writeNumber(Texts.of(number));
        }
    }

    /** JSON has no literals for NaN and infinity, so those are strings. */
    private void floating(double number) throws IOException {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            json.writeString(Double.toString(number));
        } else {
            json.writeNumber(number);
        }
    }

    /** Writes the session's id and the state of its transaction, behind all results. */
    void session(String id, TransactionState.Status status) throws IOException {
        closeResults();
        json.writeStringField("session_id", id);
        json.writeStringField("transaction", status.name().toLowerCase(Locale.ROOT));
    }

    private void closeResults() throws IOException {
        while (!json.getOutputContext().inObject()
                || !json.getOutputContext().getParent().inRoot()) {
            if (json.getOutputContext().inArray()) {
                json.writeEndArray();
            } else {
                json.writeEndObject();
            }
        }
    }

    void end(long tookMicros, @Nullable SqlError error, String text) throws IOException {
        closeResults();
        json.writeStringField("status", error == null ? "success" : "error");
        json.writeNumberField("took", tookMicros / 1000.0);
        if (error != null) {
            error(error, text);
        }
        json.writeEndObject();
        json.writeRaw('\n');
        json.flush();
    }

    private void error(SqlError error, String text) throws IOException {
        json.writeObjectFieldStart("error");
        json.writeStringField("code", error.code().name());
        json.writeStringField("message", error.text());
        json.writeObjectFieldStart("details");
        json.writeStringField("sqlstate", error.code().state());
        if (error.position() >= 0) {
            int position = Math.min(error.position(), text.length());
            String before = text.substring(0, position);
            int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
            json.writeNumberField("position", position + 1);
            json.writeNumberField("line", line);
            json.writeNumberField("column", position - (before.lastIndexOf('\n') + 1) + 1);
        }
        json.writeEndObject();
        json.writeEndObject();
    }
}
