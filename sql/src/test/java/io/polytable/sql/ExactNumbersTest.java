package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals are exact up to 38 digits on both evaluators, and an error beyond. */
class ExactNumbersTest {
    /** Read by key, a row is evaluated by our own evaluator; with this condition by DuckDB. */
    private static final List<String> CONDITIONS = List.of("id = 1", "id + 0 = 1");

    @TempDir
    private static Path directory = Path.of("");

    private static final MemoryStore STORE = new MemoryStore();
    private static SqlFace face;
    private static Session session;

    @BeforeAll
    static void open() {
        face = SqlFace.open(STORE, SqlOptions.in(directory));
        session = face.session("root");
        session.execute("CREATE TABLE t (id INT PRIMARY KEY, n DECIMAL(38,18), w DECIMAL(38,0), x TEXT, f DOUBLE)");
        session.execute("INSERT INTO t VALUES (1, 0.000000000000000004, 99999999999999999999999999999999999999,"
                + " '1.2345678901234567', 0.1)");
    }

    @AfterAll
    static void close() {
        session.close();
        face.close();
        STORE.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'1.23456789'::numeric | 1.23456789",
                "0.0004::numeric * 10000 | 4.0000",
                "CAST('00012.50' AS DECIMAL) | 12.50",
                "'1e3'::numeric | 1000",
                "'-0.0'::numeric | 0.0",
                "n * 10 | 0.000000000000000040",
                "n::numeric * 10 | 0.000000000000000040",
                "w::numeric - 1 | 99999999999999999999999999999999999998",
                "9223372036854775807::numeric + 1 | 9223372036854775808",
                "12345678901234567890123456789012345678::numeric | 12345678901234567890123456789012345678",
                "0.12345678901234567890123456789012345678 | 0.12345678901234567890123456789012345678",
                "f::numeric | 0.1000000000000000",
                "x::numeric::decimal(10,2) | 1.23",
                "2::numeric / 3 | 0.6666666666666667",
                "1.5 / 0.25 | 6.0000000000000000"
            })
    void keepsAllDigits(String expression, String expected) {
        for (String condition : CONDITIONS) {
            assertThat(row("SELECT " + expression + " FROM t WHERE " + condition))
                    .as("%s where %s", expression, condition)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "w + 1",
                "w * 10",
                "w * 1.5",
                "-w - 1",
                "w / 0.1",
                "'123456789012345678901234567890123456789'::numeric",
                "123456789012345678901234567890123456789::numeric",
                "0.1234567890123456789012345678901234567891",
                "123456789012345678901234567890123456789",
                "(x || '1')::numeric",
                "'1e40'::numeric"
            })
    void refusesWhatNeedsMoreDigits(String expression) {
        for (String condition : CONDITIONS) {
            assertThatThrownBy(() -> row("SELECT " + expression + " FROM t WHERE " + condition))
                    .as("%s where %s", expression, condition)
                    .isInstanceOfSatisfying(
                            SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.OUT_OF_RANGE));
        }
    }

    @Test
    void sumsAndAveragesAreExactOrRefused() {
        session.execute("CREATE TABLE m (id INT PRIMARY KEY, n DECIMAL(38,0))");
        session.execute("INSERT INTO m VALUES (1, 90000000000000000000000000000000000001), (2, 2)");
        assertThat(row("SELECT sum(n) FROM m")).isEqualTo("90000000000000000000000000000000000003");
        assertThat(row("SELECT avg(n) FROM m WHERE id = 2 OR id = 3")).isEqualTo("2.0000000000000000");
        session.execute("INSERT INTO m VALUES (3, 90000000000000000000000000000000000001)");
        for (String sql : List.of("SELECT sum(n) FROM m", "SELECT avg(n) FROM m")) {
            assertThatThrownBy(() -> row(sql))
                    .as(sql)
                    .isInstanceOfSatisfying(
                            SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.OUT_OF_RANGE));
        }
    }

    @Test
    void infiniteDatesAreComparedButNotStored() {
        session.execute("CREATE TABLE d (id INT PRIMARY KEY, moment TIMESTAMP, day DATE)");
        for (String values : List.of("(1, 'infinity', NULL)", "(1, NULL, '-infinity')")) {
            assertThatThrownBy(() -> session.execute("INSERT INTO d VALUES " + values))
                    .isInstanceOfSatisfying(
                            SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.UNSUPPORTED));
        }
        assertThatThrownBy(() -> session.execute("INSERT INTO d SELECT 1, 'infinity'::timestamp, NULL"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.DATETIME_OVERFLOW));
        session.execute("INSERT INTO d VALUES (1, '2024-01-01', '2024-01-01')");
        assertThat(row("SELECT count(*) FROM d WHERE moment < 'infinity'::timestamp AND day > '-infinity'::date"))
                .isEqualTo("1");
    }

    private static String row(String sql) {
        try (QueryRows rows = ((Outcome.Rows) session.execute(sql)).rows()) {
            assertThat(rows.next()).isTrue();
            return LogicTest.shown(rows.row()[0]);
        }
    }
}
