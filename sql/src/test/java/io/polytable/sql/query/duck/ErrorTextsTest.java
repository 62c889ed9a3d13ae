package io.polytable.sql.query.duck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
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
