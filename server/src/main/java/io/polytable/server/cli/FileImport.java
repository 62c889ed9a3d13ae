package io.polytable.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.server.run.RefusedException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Inserts the rows of a file in batches; rejected rows are reported one by one. */
final class FileImport {
    private static final int BATCH_ROWS = 500;
    private static final int BATCH_CHARS = 200_000;
    private static final int REPORTED_MAX = 20;

    private final SqlClient client;
    private final PrintWriter out;
    private final PrintWriter err;
    private long written;
    private long refused;

    FileImport(SqlClient client, PrintWriter out, PrintWriter err) {
        this.client = client;
        this.out = out;
        this.err = err;
    }

    int run(Path path, String table) {
        if (table.isEmpty() || !Files.isRegularFile(path)) {
            throw new RefusedException(
                    table.isEmpty() ? "--import needs --into namespace.table" : "There is no file " + path);
        }
        String source = source(path);
        try (Connection reader = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = reader.createStatement()) {
            long total = count(statement, source);
            copy(statement, source, table, total);
        } catch (SQLException unreadable) {
            throw new RefusedException(
                    "The file " + path + " cannot be read: "
                            + String.valueOf(unreadable.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse(""),
                    unreadable);
        }
        out.println(written + " rows imported into " + table + (refused == 0 ? "" : ", " + refused + " refused"));
        return refused == 0 ? ExitCode.DONE : ExitCode.REFUSED;
    }

    /**
     * DuckDB reads all three formats; values are passed as text, and the server converts them to the column's type.
     */
    private static String source(Path path) {
        String name = "'" + path.toString().replace("'", "''") + "'";
        String lower = path.getFileName().toString().toLowerCase(Locale.ROOT);
        if (lower.endsWith(".csv")) {
            return "read_csv(" + name + ", all_varchar = true, header = true)";
        }
        if (lower.endsWith(".json") || lower.endsWith(".ndjson")) {
            return "read_json(" + name + ")";
        }
        if (lower.endsWith(".parquet")) {
            return "read_parquet(" + name + ")";
        }
        throw new RefusedException("Files to import end in .csv, .json or .parquet");
    }

    private static long count(Statement statement, String source) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + source)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void copy(Statement statement, String source, String table, long total) throws SQLException {
        ProgressBar bar = new ProgressBar(err);
        try (ResultSet rows = statement.executeQuery("SELECT COLUMNS(*)::VARCHAR FROM " + source)) {
            List<String> columns = new ArrayList<>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                columns.add('"' + rows.getMetaData().getColumnName(i).replace("\"", "\"\"") + '"');
            }
            String head = "INSERT INTO " + table + " (" + String.join(", ", columns) + ") VALUES ";
            List<String> batch = new ArrayList<>();
            int chars = 0;
            while (rows.next()) {
                batch.add(values(rows, columns.size()));
                chars += batch.get(batch.size() - 1).length();
                if (batch.size() == BATCH_ROWS || chars > BATCH_CHARS) {
                    send(head, batch);
                    chars = 0;
                    bar.at(written + refused, total);
                }
            }
            send(head, batch);
            bar.at(written + refused, total);
        }
        bar.end();
    }

    private static String values(ResultSet rows, int count) throws SQLException {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            String value = rows.getString(i);
            values.add(value == null ? "NULL" : "'" + value.replace("'", "''") + "'");
        }
        return values.stream().collect(Collectors.joining(", ", "(", ")"));
    }

    private void send(String head, List<String> batch) {
        if (batch.isEmpty()) {
            return;
        }
        JsonNode answer = client.ask(head + String.join(", ", batch));
        if (!SqlCommand.isError(answer)) {
            written += batch.size();
        } else {
            // A batch is atomic: inserting one row at a time finds the rejected ones.
            batch.forEach(row -> one(head, row));
        }
        batch.clear();
    }

    private void one(String head, String row) {
        JsonNode answer = client.ask(head + row);
        if (!SqlCommand.isError(answer)) {
            written++;
            return;
        }
        if (refused++ < REPORTED_MAX) {
            String shown = row.length() > 100 ? row.substring(0, 100) + "..." : row;
            err.println("refused " + shown + ": " + answer.at("/error/message").asText());
        }
    }
}
