package io.polytable.sql.query.duck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors that DuckDB finds read like those that our own evaluator finds, and name the value. */
class ErrorTextsTest {
    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("SELECT v / 0 FROM t WHERE id > 0 ORDER BY v", "division by zero"),
            Map.entry("SELECT v + 2147483647 FROM t ORDER BY v", "int out of range"),
            Map.entry("SELECT v + 9223372036854775807 FROM t ORDER BY v", "bigint out of range"),
            Map.entry(
                    "SELECT (v + 32768)::smallint FROM t ORDER BY v",
                    "value \"32769\" is out of range for type smallint"),
            Map.entry("SELECT (v * 1e30)::bigint FROM t ORDER BY v", "value \"1e+30\" is out of range for type bigint"),
            Map.entry(
                    "SELECT (v || 'x')::decimal(4,1) FROM t ORDER BY v",
                    "invalid input syntax for type decimal(4,1): \"1x\""),
            Map.entry(
                    "SELECT id, count(*) FROM t",
                    "column \"id\" must appear in the GROUP BY clause or be used in an aggregate function"));

    @TempDir
    private Path directory = Path.of("");

    @Test
    void areOurs() {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory))) {
            Session session = face.session("root");
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
            session.execute("INSERT INTO t VALUES (1, 1)");
            TEXTS.forEach((sql, text) -> {
                SqlError error = catchThrowableOfType(SqlError.class, () -> session.execute(sql));
                assertThat(error.text()).as(sql).isEqualTo(text);
            });
        }
    }

    @Test
    void saySomethingThatAClientKnows() throws IOException {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory));
                Session session = face.session("root")) {
            session.execute(
                    "CREATE TABLE e (id INT PRIMARY KEY, t TEXT, d DATE, n NUMERIC(10,2), b BOOLEAN, ts TIMESTAMP,"
                            + " a DOUBLE)");
            session.execute("INSERT INTO e VALUES (1, 'x', '2024-01-01', 1.5, true, '2024-01-01', 1.5)");
            for (String line : lines()) {
                String[] parts = line.split(" \\| ", -1);
                SqlError error = catchThrowableOfType(SqlError.class, () -> read(session, parts[0]));
                assertThat(error).as(line).isNotNull();
                assertThat(error.code() + " " + error.text()).as(line).isEqualTo(parts[1] + " " + parts[2]);
            }
        }
    }

    private static void read(Session session, String sql) {
        try (QueryRows rows = ((Outcome.Rows) session.execute(sql)).rows()) {
            while (rows.next()) {
                assertThat(rows.row()).isNotNull();
            }
        }
    }

    private static List<String> lines() throws IOException {
        try (InputStream file = ErrorTextsTest.class.getResourceAsStream("error-texts.txt")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    @Test
    void aTextThatIsNotKnownIsNotPassedOn() {
        SqlError error = DuckErrors.of(json("Binder", "Cannot frobnicate INTEGER_LITERAL"), Optional.empty());
        assertThat(error.code()).isEqualTo(SqlCode.TYPE_MISMATCH);
        assertThat(error.text()).isEqualTo("types do not fit each other");
    }

    /** The type of DuckDB's error decides, whatever its text says. */
    @Test
    void theEnginesOwnMattersAreNotTold() {
        assertOwn("Out of Memory", "failed to allocate; SET memory_limit", SqlCode.OUT_OF_MEMORY);
        assertOwn("INTERNAL", "Attempted to access index 3 at vector.cpp:12", SqlCode.INTERNAL);
        assertOwn("Permission", "Cannot access file /etc/passwd", SqlCode.NOT_ALLOWED);
        SqlError division = DuckErrors.of(json("Divide by Zero", "some text"), Optional.empty());
        assertThat(division.code()).isEqualTo(SqlCode.DIVISION_BY_ZERO);
        assertThat(DuckErrors.of(json("Mismatch Type", "some text"), Optional.empty())
                        .code())
                .isEqualTo(SqlCode.TYPE_MISMATCH);
    }

    private static void assertOwn(String type, String text, SqlCode code) {
        SqlError error = DuckErrors.of(json(type, text), Optional.empty());
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.text()).doesNotContain(text);
    }

    private static SQLException json(String type, String text) {
        return new SQLException("{\"exception_type\":\"" + type + "\",\"exception_message\":\"" + text + "\"}");
    }
}
