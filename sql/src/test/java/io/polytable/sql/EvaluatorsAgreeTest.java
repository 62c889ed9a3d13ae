package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.Texts;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An expression has the same value, or is the same error, whether a statement by key evaluates it itself or DuckDB does:
 * every operator, function and cast that both have, over columns of every type, with NULLs and extremes.
 */
class EvaluatorsAgreeTest {
    /** A column of each type, and its values in the rows 1, 2, ...: ordinary ones, the least, the greatest, NULL. */
    private static final Map<String, List<String>> COLUMNS = new TreeMap<>(Map.ofEntries(
            Map.entry("bo BOOLEAN", List.of("true", "false", "true", "NULL")),
            Map.entry("sm SMALLINT", List.of("7", "-32768", "32767", "NULL")),
            Map.entry("it INT", List.of("-3", "-2147483648", "2147483647", "NULL")),
            Map.entry("bi BIGINT", List.of("12", "-9223372036854775808", "9223372036854775807", "NULL")),
            Map.entry("fl REAL", List.of("1.5", "-3.4e38", "3.4e38", "NULL")),
            Map.entry("do_ DOUBLE", List.of("2.25", "-1.7e308", "1.7e308", "NULL")),
            Map.entry("de DECIMAL(10,2)", List.of("3.10", "-99999999.99", "99999999.99", "NULL")),
            Map.entry("tx TEXT", List.of("' aB%_'", "''", "'Zürich ß'", "NULL")),
            Map.entry("nu TEXT", List.of("'12'", "'-5'", "'x'", "NULL")),
            Map.entry("da DATE", List.of("'2024-02-29'", "'0001-01-01'", "'9999-12-31'", "NULL")),
            Map.entry("ti TIME", List.of("'12:30:15.25'", "'00:00:00'", "'23:59:59.999999'", "NULL")),
            Map.entry(
                    "ts TIMESTAMP",
                    List.of(
                            "'2024-02-29 12:30:15.25'",
                            "'0001-01-01 00:00:00'",
                            "'9999-12-31 23:59:59.999999'",
                            "NULL")),
            Map.entry(
                    "uu UUID",
                    List.of(
                            "'3f2504e0-4f89-11d3-9a0c-0305e82c3301'",
                            "'00000000-0000-0000-0000-000000000000'",
                            "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
                            "NULL"))));

    private static final List<String> BINARY =
            List.of("+", "-", "*", "/", "%", "=", "<>", "<", "<=", ">", ">=", "||", "IS DISTINCT FROM", "AND", "OR");

    private static final List<String> UNARY = List.of(
            "- %s",
            "+ %s",
            "NOT %s",
            "%s IS NULL",
            "%s IS NOT NULL",
            "%s IS TRUE",
            "%s IS NOT FALSE",
            "lower(%s)",
            "upper(%s)",
            "trim(%s)",
            "ltrim(%s)",
            "rtrim(%s)",
            "length(%s)",
            "abs(%s)",
            "coalesce(%s)",
            "%s LIKE ' a%%'",
            "%s ILIKE '%%b%%'",
            "%s NOT LIKE '_'",
            "CASE WHEN %s THEN 1 ELSE 2 END",
            "CASE %s WHEN NULL THEN 1 END");

    private static final List<String> TYPES = List.of(
            "boolean",
            "smallint",
            "int",
            "bigint",
            "real",
            "double precision",
            "decimal(10,2)",
            "decimal(4,1)",
            "text",
            "varchar(3)",
            "date",
            "time",
            "timestamp",
            "uuid");

    private static final List<String> PAIRS = List.of(
            "coalesce(%s, %s)",
            "nullif(%s, %s)",
            "greatest(%s, %s)",
            "least(%s, %s)",
            "%s IN (%s)",
            "%s NOT IN (%s, NULL)",
            "CASE WHEN bo THEN %s ELSE %s END");

    private static final List<String> OTHERS = List.of(
            "substr(tx, 2)",
            "substr(tx, 2, 3)",
            "substring(tx, 0, 2)",
            "replace(tx, 'a', 'bb')",
            "left(tx, 2)",
            "right(tx, 2)",
            "round(de, 1)",
            "it BETWEEN sm AND bi",
            "it NOT BETWEEN bi AND sm",
            "it + 1",
            "bi + 1",
            "sm * 2",
            "de * 1.5",
            "de / 3",
            "it / 2",
            "it % 2",
            "do_ / 2",
            "fl + 1",
            "it = '7'",
            "de = '3.1'",
            "tx = 'x'",
            "da = '2024-02-29'",
            "ts < '2024-03-01'",
            "uu = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'",
            "bo = 'yes'",
            "concat(tx, nu)",
            "-it",
            "it - bi - de",
            "'a' || it || tx");

    /** DuckDB does not say whether a text is no time, or one beyond the last. */
    private static final Set<String> OTHER_ERROR = Set.of("CAST(nu AS time)", "CAST(tx AS time)");

    @TempDir
    private Path directory = Path.of("");

    private static List<String> expressions() {
        List<String> names =
                COLUMNS.keySet().stream().map(column -> column.split(" ", 2)[0]).toList();
        List<String> all = new ArrayList<>(OTHERS);
        for (String one : names) {
            UNARY.forEach(form -> all.add(String.format(form, one)));
            TYPES.forEach(type -> all.add("CAST(" + one + " AS " + type + ")"));
            for (String other : names) {
                BINARY.forEach(operator -> all.add(one + " " + operator + " " + other));
                PAIRS.forEach(form -> all.add(String.format(form, one, other)));
            }
        }
        return all;
    }

    /** The value, or the SQLSTATE of the error. */
    private static String value(Session session, String sql) {
        try (QueryRows rows = ((Outcome.Rows) session.execute(sql)).rows()) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                Object value = rows.row()[0];
                values.add(value == null ? "NULL" : Texts.of(value));
            }
            return String.join(",", values);
        } catch (SqlError error) {
            return "error " + error.code().state();
        }
    }

    private static boolean isOurs(Session session, String sql) {
        try (QueryRows rows = ((Outcome.Rows) session.execute("EXPLAIN " + sql)).rows()) {
            return rows.next() && "path: own".equals(rows.row()[0]);
        } catch (SqlError rejected) {
            // Our compiler rejected it; DuckDB was not asked.
            return false;
        }
    }

    @Test
    @Timeout(600)
    void everyExpressionHasOneMeaning() {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory));
                Session session = face.session("root")) {
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, " + String.join(", ", COLUMNS.keySet()) + ")");
            for (int row = 0; row < 4; row++) {
                int at = row;
                String values =
                        COLUMNS.values().stream().map(each -> each.get(at)).collect(Collectors.joining(", "));
                session.execute("INSERT INTO t VALUES (" + (row + 1) + ", " + values + ")");
            }
            for (String expression : expressions()) {
                String byKey = "SELECT " + expression + " FROM t WHERE id = ";
                if (!isOurs(session, byKey + 1)) {
                    continue;
                }
                for (int row = 1; row <= 4; row++) {
                    String ours = value(session, byKey + row);
                    // A window function is beyond us.
                    String theirs =
                            value(session, "SELECT " + expression + ", row_number() OVER () FROM t WHERE id = " + row);
                    compared++;
                    // Types that do not fit are our error; DuckDB converts more of them by itself, as docs/sql.md says.
                    boolean excused = ours.startsWith("error 42") || OTHER_ERROR.contains(expression);
                    if (!ours.equals(theirs) && !excused) {
                        differences.add(expression + ", row " + row + ": " + ours + ", DuckDB " + theirs);
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(1000);
        assertThat(String.join("\n", differences)).isEmpty();
    }
}
