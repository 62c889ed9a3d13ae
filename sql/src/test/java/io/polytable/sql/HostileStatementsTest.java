package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.net.Workers;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Prepared;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile statements: each gets a result or an error, and the next statement works. */
class HostileStatementsTest {
    private static final int ODD_STATEMENTS = 800;
    private static final int ODD_STATEMENTS_LONG = 20_000;

    @TempDir
    private Path directory = Path.of("");

    private static String outcome(Session session, String text) {
        try {
            for (Prepared statement : session.prepare(text)) {
                if (session.execute(statement, new Object[0]) instanceof Outcome.Rows result) {
                    try (QueryRows rows = result.rows()) {
                        while (rows.next()) {
                            assertThat(rows.row()).isNotNull();
                        }
                    }
                }
            }
            return "answered";
        } catch (SqlError error) {
            return "refused";
        }
    }

    @Test
    void callsWithinCallsDoNotHoldUpThePlanner() {
        String wide =
                IntStream.range(0, 3000).mapToObj(i -> "length(v) AS c" + i).collect(Collectors.joining(", "));
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory))) {
            Session session = face.session("root");
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
            for (String call : List.of(
                    "length(%s)",
                    "sqrt(%s)",
                    "pg_typeof(%s)",
                    "substring('abc', 1, %s)",
                    "regexp_substr(v, %s)",
                    "justify_interval(%s)",
                    "(SELECT length(%s))")) {
                String nested = "v";
                for (int level = 0; level < 30; level++) {
                    nested = String.format(call, nested);
                }
                assertThat(outcome(session, "SELECT " + nested + " FROM t"))
                        .as(call)
                        .isEqualTo("refused");
            }
            assertThat(outcome(session, "SELECT length(octet_length(length(v)::text)::text) FROM t"))
                    .isEqualTo("answered");
            assertThat(outcome(session, "SELECT " + wide + " FROM t")).isEqualTo("answered");
        }
    }

    /** Each level has its operand in several comparisons: compiled or computed for each it would be exponential. */
    @Test
    @Timeout(60)
    void operandsWithinOperandsAreCompiledAndComputedOnce() {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory));
                Session session = face.session("root")) {
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, b BOOLEAN, n INT)");
            session.execute("INSERT INTO t VALUES (1, true, 0)");
            for (String level : List.of(
                    "(%s BETWEEN false AND true)",
                    "(%s IN (true, true, false))",
                    "(CASE %s WHEN false THEN true WHEN true THEN true END)",
                    "NULLIF(%s, false)")) {
                String nested = "b";
                for (int i = 0; i < 40; i++) {
                    nested = String.format(level, nested);
                }
                Outcome updated = session.execute("UPDATE t SET n = n + 1 WHERE id = 1 AND " + nested);
                assertThat(((Outcome.Done) updated).rows()).as(level).isEqualTo(1);
            }
        }
    }

    @Test
    void lengthOfANumberIsAnError() {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory));
                Session session = face.session("root")) {
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, n INT)");
            session.execute("INSERT INTO t VALUES (1, length($1))", "four");
            assertThatThrownBy(() -> session.execute("UPDATE t SET n = length($1) WHERE id = 1", 5))
                    .isInstanceOfSatisfying(
                            SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.UNDEFINED_FUNCTION));
            assertThat(ConflictTest.rows(session, "SELECT n FROM t WHERE id = 1"))
                    .isEqualTo("4");
        }
    }

    /** Each view reads the one before ten times: what few statements define would be a million tables to analyse. */
    @Test
    void viewsOfViewsDoNotMultiplyWithoutBound() {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory))) {
            Session session = face.session("root");
            session.execute("CREATE TABLE v0 (v INT PRIMARY KEY)");
            session.execute("INSERT INTO v0 VALUES (1)");
            for (int level = 1; level <= 2; level++) {
                session.execute(viewOfTen(level, "v" + (level - 1)));
            }
            assertThat(ConflictTest.rows(session, "SELECT sum(v) FROM v2")).isEqualTo("100");
            refused(session, viewOfTen(3, "v2"));
            refused(session, "SELECT 1" + " FROM v0 UNION ALL SELECT 1".repeat(1001) + " FROM v0");
            session.execute("CREATE VIEW long AS SELECT '" + "x".repeat(200_000) + "' AS v");
            refused(session, viewOfTen(4, "long"));
            assertThat(ConflictTest.rows(session, "SELECT length(v) FROM long")).isEqualTo("200000");
        }
    }

    private static String viewOfTen(int level, String beneath) {
        String ten = IntStream.range(0, 10)
                .mapToObj(i -> "SELECT v FROM " + beneath)
                .collect(Collectors.joining(" UNION ALL "));
        return "CREATE VIEW v" + level + " AS " + ten;
    }

    private static void refused(Session session, String text) {
        assertThatThrownBy(() -> session.execute(text))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.LIMIT_EXCEEDED));
    }

    @Test
    void sizesAndDepthsBeyondReasonGetAnError() {
        String columns = IntStream.range(0, 10_000).mapToObj(i -> "1 AS c" + i).collect(Collectors.joining(", "));
        String many = IntStream.range(0, 2000).mapToObj(i -> "c" + i + " INT").collect(Collectors.joining(", "));
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory))) {
            Session session = face.session("root");
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
            session.execute("CREATE TABLE days (id INT PRIMARY KEY, v DATE)");
            Stream.of(
                            "SELECT " + "(".repeat(5000) + "1" + ")".repeat(5000),
                            "SELECT " + "-".repeat(3) + " 1",
                            "SELECT " + "- ".repeat(5000) + "1",
                            "SELECT " + "NOT ".repeat(5000) + "true",
                            "SELECT id FROM t WHERE " + "NOT ".repeat(5000) + "true",
                            "SELECT " + "CASE WHEN true THEN ".repeat(1000) + "1" + " END".repeat(1000),
                            "SELECT " + "abs(".repeat(3000) + "1" + ")".repeat(3000),
                            "SELECT " + "1 + ".repeat(20_000) + "1",
                            "SELECT 1.5" + "::text::float8".repeat(40),
                            "SELECT " + "concat(1, ".repeat(60) + "1" + ")".repeat(60),
                            "SELECT ('2024-01-05' || repeat(' 111111', 20000))::date",
                            "INSERT INTO days SELECT 1, '2024-01-05' || repeat(' 111111', 20000)",
                            "SELECT " + "[".repeat(2000) + "]".repeat(2000),
                            "SELECT " + columns,
                            "CREATE TABLE wide (" + many + ")",
                            "INSERT INTO t VALUES (1, '" + "x".repeat(1 << 20) + "')",
                            "INSERT INTO t VALUES (" + "9".repeat(100_000) + ", 'x')",
                            "SELECT '" + "y".repeat(1 << 20) + "'",
                            "SELECT * FROM (".repeat(500) + "SELECT 1" + ") q".repeat(500),
                            "EXPLAIN ".repeat(1000) + "SELECT 1",
                            "EXECUTE AS USER 'a' (".repeat(200) + "SELECT 1" + ")".repeat(200),
                            "SELECT * FROM t WHERE id IN (" + "1,".repeat(50_000) + "1)",
                            ";".repeat(10_000),
                            "SELECT 1;".repeat(11_000),
                            "/*".repeat(10_000),
                            "\"" + "n".repeat(1 << 16) + "\"")
                    .forEach(text -> assertThat(outcome(session, text)).isNotEmpty());
            assertThat(outcome(session, "SELECT count(*) FROM t")).isEqualTo("answered");
        }
    }

    /** An operator that is applied again and again makes a deep expression without any parenthesis. */
    @ParameterizedTest
    @CsvSource({"OR, id = %d", "AND, id <> -%d", "||, v%d"})
    @Timeout(60)
    void chainsOfAnOperatorAreAnsweredOrRefused(String operator, String operand) {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory));
                Session session = face.session("root")) {
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
            session.execute("INSERT INTO t VALUES (1, 'a')");
            String part = operator.equals("||") ? "'" + operand.replace("'", "") + "'" : operand;
            for (int length : new int[] {500, 20_000}) {
                String chain = IntStream.range(1, length)
                        .mapToObj(i -> String.format(part, i))
                        .collect(Collectors.joining(" " + operator + " "));
                String condition = operator.equals("||") ? "length(" + chain + ") > 1" : chain;
                List<String> statements = List.of(
                        "SELECT id FROM t WHERE " + condition,
                        "SELECT count(*) FROM t WHERE " + condition + " GROUP BY v",
                        "UPDATE t SET v = 'b' WHERE " + condition,
                        "UPDATE t SET v = CASE WHEN " + condition + " THEN 'b' END",
                        "INSERT INTO t VALUES (2, CASE WHEN 1 = 1 OR " + condition.replace("id", "2")
                                + " THEN 'b' END)",
                        "DELETE FROM t WHERE id = 5 AND (" + condition + ")",
                        "CREATE VIEW v" + length + " AS SELECT id FROM t WHERE " + condition,
                        "CREATE TABLE c" + length + " (id INT PRIMARY KEY, v TEXT, w INT, CHECK (" + condition + "))",
                        "ALTER TABLE c" + length + " DROP COLUMN w",
                        "ALTER TABLE c" + length + " RENAME TO d" + length,
                        "EXPLAIN SELECT id FROM t WHERE " + condition);
                for (String statement : statements) {
                    String outcome = outcome(session, statement);
                    boolean ours = length == 500 && !statement.contains("||");
                    assertThat(outcome).as(shortened(statement)).isIn("answered", ours ? "answered" : "refused");
                }
            }
            assertThat(outcome(session, "SELECT count(*) FROM t")).isEqualTo("answered");
        }
    }

    /**
     * DuckDB plans recursively, and an overflow of its stack would end this process. A server runs statements on stacks of
     * this size.
     */
    @ParameterizedTest
    @ValueSource(strings = {"WITH", "EXCEPT", "UNION", "JOIN", "NATURAL JOIN", "EXISTS", "GROUP BY"})
    @Timeout(300)
    void chainsOfQueriesAreAnsweredOrRefused(String shape) throws InterruptedException {
        Map<Integer, String> outcomes = new TreeMap<>();
        Thread deep = new Thread(null, () -> chains(shape, outcomes), "deep", Workers.DEEP_STACK);
        deep.start();
        deep.join();
        assertThat(outcomes).containsOnlyKeys(40, 450, 900);
        assertThat(outcomes.get(40)).isEqualTo("answered");
        assertThat(outcomes.get(900)).isEqualTo("refused");
    }

    private void chains(String shape, Map<Integer, String> outcomes) {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory));
                Session session = face.session("root")) {
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
            for (int length : new int[] {40, 450, 900}) {
                outcomes.put(length, outcome(session, chain(shape, length)));
            }
        }
    }

    private static String chain(String shape, int length) {
        return switch (shape) {
            case "EXCEPT", "UNION" ->
                Collections.nCopies(length, "SELECT id FROM t").stream().collect(Collectors.joining(" " + shape + " "));
            case "JOIN" ->
                "SELECT count(*) FROM t"
                        + IntStream.range(0, length)
                                .mapToObj(i -> " LEFT JOIN t t" + i + " ON t" + i + ".id = t.id")
                                .collect(Collectors.joining());
            case "NATURAL JOIN" ->
                "SELECT count(*) FROM t"
                        + IntStream.range(0, length)
                                .mapToObj(i -> " NATURAL JOIN t t" + i)
                                .collect(Collectors.joining());
            default ->
                "WITH "
                        + IntStream.range(0, length)
                                .mapToObj(i -> "a" + i + " AS (" + link(shape, i == 0 ? "t" : "a" + (i - 1)) + ")")
                                .collect(Collectors.joining(", "))
                        + " SELECT count(*) FROM a" + (length - 1);
        };
    }

    private static String link(String shape, String before) {
        return switch (shape) {
            case "EXISTS" -> "SELECT id, v FROM t x WHERE EXISTS (SELECT 1 FROM " + before + " y WHERE y.id = x.id)";
            case "GROUP BY" -> "SELECT max(id) AS id, v FROM " + before + " GROUP BY v";
            default -> "SELECT * FROM " + before;
        };
    }

    /** Each query around the last doubles the value; planning it would take minutes, its text all memory. */
    @ParameterizedTest
    @ValueSource(strings = {"[v, v]", "{'a': v, 'b': v}", "row(v, v)", "map([1, 2], [v, v])", "json_array(v, v)"})
    @Timeout(60)
    void valuesThatDoubleWithEveryQueryAreRefused(String doubled) {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory));
                Session session = face.session("root")) {
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
            session.execute("INSERT INTO t VALUES (1, 'x')");
            for (int levels : new int[] {4, 25}) {
                String query = "SELECT v FROM t";
                String names = "WITH q0 AS (SELECT v FROM t)";
                for (int i = 1; i <= levels; i++) {
                    query = "SELECT " + doubled + " AS v FROM (" + query + ") s";
                    names += ", q" + i + " AS (SELECT " + doubled + " AS v FROM q" + (i - 1) + ")";
                }
                String outcome = levels == 4 ? "answered" : "refused";
                assertThat(outcome(session, query)).isEqualTo(outcome);
                assertThat(outcome(session, names + " SELECT v FROM q" + levels))
                        .isEqualTo(outcome);
            }
        }
    }

    /** Each row around a row doubles the quotation marks of its text. */
    @Test
    void rowsWithinRowsAreRefusedBeforeTheirTextIsTooLong() {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory));
                Session session = face.session("root")) {
            assertThat(outcome(session, "SELECT " + "{'a': ".repeat(5) + "1" + "}".repeat(5)))
                    .isEqualTo("answered");
            assertThat(outcome(session, "SELECT " + "{'a': ".repeat(40) + "1" + "}".repeat(40)))
                    .isEqualTo("refused");
        }
    }

    private static String shortened(String statement) {
        return statement.substring(0, Math.min(80, statement.length()));
    }

    /** Words of statements in any order: whatever the parsers make of them, they end. */
    @Test
    void wordsInAnyOrderAreAnsweredOrRefused() {
        answerOrRefuse(20261116, ODD_STATEMENTS);
    }

    @Tag("crash")
    @Test
    void manyWordsInAnyOrderAreAnsweredOrRefused() {
        answerOrRefuse(20261117, ODD_STATEMENTS_LONG);
    }

    private void answerOrRefuse(long seed, int statements) {
        String[] words =
                ("SELECT FROM WHERE INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE DROP ALTER ADD COLUMN t id v ( )"
                                + " , ; . * = < > + - / 1 2.5 'x' NULL AND OR NOT IN IS LIKE BETWEEN CASE WHEN THEN ELSE END GROUP"
                                + " BY ORDER LIMIT AS JOIN ON UNION WITH ? $1 :: int text :: [ ] { } || -> \"q\" BEGIN COMMIT"
                                + " ROLLBACK SHOW TABLES DESCRIBE EXPLAIN PREPARE EXECUTE RETURNING CONFLICT DO NOTHING DEFAULT")
                        .split(" ", -1);
        Random random = new Random(seed);
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory))) {
            Session session = face.session("root");
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
            for (int i = 0; i < statements; i++) {
                String text = IntStream.range(0, 1 + random.nextInt(12))
                        .mapToObj(word -> words[random.nextInt(words.length)])
                        .collect(Collectors.joining(" "));
                assertThat(outcome(session, text)).as("seed %d, %s", seed, text).isNotEmpty();
            }
        }
    }
}
