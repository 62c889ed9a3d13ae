package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What belongs to a transaction: the statements of a text, definitions, modes, settings, its time. */
class SqlTransactionsTest {
    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();
    private SqlFace face;
    private Session one;
    private Session two;

    @BeforeEach
    void open() {
        face = SqlFace.open(store, SqlOptions.in(directory));
        one = face.session("root");
        two = face.session("root");
        run(one, "CREATE TABLE t (id INT PRIMARY KEY, v INT)");
        run(one, "INSERT INTO t VALUES (1, 10), (2, 20)");
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        face.close();
        store.close();
    }

    /** The last result of a text, rows separated by spaces; or the last message. */
    private static String run(Session session, String text) {
        List<String> last = new ArrayList<>();
        try {
            session.executeAll(session.prepare(text), new Object[0], outcome -> {
                last.clear();
                if (outcome instanceof Outcome.Rows rows) {
                    last.addAll(LogicTest.rows(rows.rows()));
                } else if (outcome instanceof Outcome.Done done) {
                    last.add(done.message());
                    done.notices().forEach(notice -> last.add(notice.code().name()));
                }
            });
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return String.join(" ", last);
    }

    private static void refused(Session session, String text, SqlCode code) {
        assertThatThrownBy(() -> run(session, text))
                .as(text)
                .isInstanceOfSatisfying(
                        SqlError.class,
                        error -> assertThat(error.code()).as(error.text()).isEqualTo(code));
    }

    @Test
    void theStatementsOfATextAreOneTransaction() {
        refused(one, "INSERT INTO t VALUES (3, 30); INSERT INTO t VALUES (4, 'x')", SqlCode.INVALID_VALUE);
        assertThat(run(two, "SELECT count(*) FROM t")).isEqualTo("2");
        run(one, "INSERT INTO t VALUES (3, 30); INSERT INTO t VALUES (4, 40)");
        assertThat(run(two, "SELECT count(*) FROM t")).isEqualTo("4");
        assertThat(one.isInTransaction()).isFalse();
    }

    @Test
    void beginAndCommitWithinATextActAsInPostgres() {
        // BEGIN takes in what came before; what follows COMMIT is another transaction.
        refused(
                one,
                "INSERT INTO t VALUES (3, 3); BEGIN; INSERT INTO t VALUES (4, 4); COMMIT; INSERT INTO t VALUES (5, 5); SELECT 1/0",
                SqlCode.DIVISION_BY_ZERO);
        assertThat(run(two, "SELECT id FROM t ORDER BY id")).isEqualTo("1 2 3 4");
        refused(one, "INSERT INTO t VALUES (6, 6); COMMIT; INSERT INTO t VALUES (7, 'x')", SqlCode.INVALID_VALUE);
        assertThat(run(two, "SELECT id FROM t WHERE id > 5")).isEqualTo("6");
        run(one, "INSERT INTO t VALUES (8, 8); ROLLBACK; INSERT INTO t VALUES (9, 9)");
        assertThat(run(two, "SELECT id FROM t WHERE id > 7")).isEqualTo("9");
        run(one, "BEGIN; INSERT INTO t VALUES (10, 10)");
        assertThat(one.isInTransaction()).isTrue();
        assertThat(run(two, "SELECT id FROM t WHERE id > 9")).isEmpty();
        run(one, "COMMIT");
        assertThat(run(two, "SELECT id FROM t WHERE id > 9")).isEqualTo("10");
        refused(one, "SELECT 1; SAVEPOINT s", SqlCode.NO_TRANSACTION);
    }

    @Test
    void endsWithoutATransactionWarn() {
        assertThat(run(one, "COMMIT")).isEqualTo("COMMIT NO_TRANSACTION");
        assertThat(run(one, "ROLLBACK")).isEqualTo("ROLLBACK NO_TRANSACTION");
        assertThat(run(one, "BEGIN")).isEqualTo("BEGIN");
        assertThat(run(one, "BEGIN")).isEqualTo("BEGIN ACTIVE_TRANSACTION");
        assertThat(run(one, "COMMIT")).isEqualTo("COMMIT");
        assertThat(run(one, "SET LOCAL statement_timeout = '1s'")).isEqualTo("SET NO_TRANSACTION");
    }

    @Test
    void anErrorWhileRowsAreReadFailsTheTransaction() {
        run(one, "INSERT INTO t SELECT x, x FROM generate_series(3, 5000) g(x)");
        run(one, "BEGIN");
        run(one, "INSERT INTO t VALUES (6000, 1)");
        refused(one, "SELECT id, 1/(4990-id) FROM t", SqlCode.DIVISION_BY_ZERO);
        refused(one, "SELECT 1", SqlCode.FAILED_TRANSACTION);
        assertThat(run(one, "COMMIT")).isEqualTo("ROLLBACK");
        assertThat(run(two, "SELECT count(*) FROM t WHERE id = 6000")).isEqualTo("0");
    }

    @Test
    void definitionsAreUndoneWithTheirTransaction() {
        refused(
                one,
                "CREATE TABLE a (id INT PRIMARY KEY); INSERT INTO a VALUES (1); INSERT INTO a VALUES ('x')",
                SqlCode.INVALID_VALUE);
        refused(two, "SELECT * FROM a", SqlCode.UNDEFINED_TABLE);
        refused(
                one,
                "CREATE NAMESPACE n; CREATE TABLE n.a (id INT PRIMARY KEY, u TEXT UNIQUE); CREATE INDEX i ON n.a (u);"
                        + " CREATE VIEW n.v AS SELECT * FROM n.a; ALTER TABLE t ADD COLUMN w INT DEFAULT 5;"
                        + " ALTER TABLE t RENAME COLUMN v TO x; SELECT x FROM t; SELECT 1/0",
                SqlCode.DIVISION_BY_ZERO);
        refused(two, "SELECT * FROM n.a", SqlCode.UNDEFINED_TABLE);
        assertThat(run(two, "SELECT * FROM t ORDER BY id")).isEqualTo("1|10 2|20");
        refused(
                one,
                "DROP TABLE t; CREATE TABLE t (id TEXT PRIMARY KEY); INSERT INTO t VALUES ('new'); SELECT 1/0",
                SqlCode.DIVISION_BY_ZERO);
        assertThat(run(two, "SELECT * FROM t ORDER BY id")).isEqualTo("1|10 2|20");
        run(two, "INSERT INTO t VALUES (3, 30)");
        assertThat(run(two, "SELECT count(*) FROM t")).isEqualTo("3");
    }

    @Test
    void definitionsAreCommittedWithTheirRows() {
        run(
                one,
                "INSERT INTO t VALUES (3, 30); CREATE TABLE a (id INT PRIMARY KEY, u TEXT UNIQUE);"
                        + " INSERT INTO a VALUES (1, 'x'); SELECT * FROM a");
        run(
                one,
                "CREATE TABLE b (id INT PRIMARY KEY, u TEXT); INSERT INTO b VALUES (1, 'x'); CREATE INDEX bu ON b (u);"
                        + " INSERT INTO b VALUES (2, 'y'); ALTER TABLE b ADD COLUMN c INT DEFAULT 7");
        run(one, "DROP TABLE t; CREATE TABLE t (id TEXT PRIMARY KEY); INSERT INTO t VALUES ('new')");
        one.close();
        two.close();
        face.close();
        face = SqlFace.open(store, SqlOptions.in(directory));
        one = face.session("root");
        two = face.session("root");
        assertThat(run(one, "SELECT * FROM a")).isEqualTo("1|x");
        assertThat(run(one, "SELECT id, c FROM b WHERE u = 'x'")).isEqualTo("1|7");
        assertThat(run(one, "SELECT id, c FROM b WHERE u = 'y'")).isEqualTo("2|7");
        assertThat(run(one, "SELECT * FROM t")).isEqualTo("new");
        refused(one, "INSERT INTO a VALUES (2, 'x')", SqlCode.UNIQUE_VIOLATION);
    }

    @Test
    void definitionsOfATransactionThatNeverCommitsLeaveNothing() {
        run(one, "BEGIN");
        run(one, "CREATE TABLE a (id INT PRIMARY KEY)");
        run(one, "INSERT INTO a VALUES (1)");
        run(one, "DROP TABLE t");
        run(one, "CREATE TABLE t (id TEXT PRIMARY KEY)");
        // As after a crash: the store is opened again, and nothing was ended before.
        try (SqlFace after = SqlFace.open(store, SqlOptions.in(directory.resolve("after")));
                Session session = after.session("root")) {
            assertThat(run(session, "SELECT * FROM t ORDER BY id")).isEqualTo("1|10 2|20");
            refused(session, "SELECT * FROM a", SqlCode.UNDEFINED_TABLE);
        }
    }

    @Test
    void anExplicitTransactionTakesDefinitionsBack() {
        run(one, "BEGIN");
        run(one, "CREATE TABLE a (id INT PRIMARY KEY)");
        run(one, "INSERT INTO a VALUES (1)");
        assertThat(run(one, "SELECT * FROM a")).isEqualTo("1");
        run(one, "ROLLBACK");
        refused(one, "SELECT * FROM a", SqlCode.UNDEFINED_TABLE);
        run(one, "BEGIN");
        run(one, "CREATE TABLE a (id INT PRIMARY KEY)");
        run(one, "COMMIT");
        assertThat(run(two, "SELECT count(*) FROM a")).isEqualTo("0");
    }

    @Test
    void aDefinitionWaitsForThoseOfAnOpenTransaction() {
        run(one, "BEGIN");
        run(one, "CREATE TABLE a (id INT PRIMARY KEY)");
        run(two, "SET statement_timeout = '200ms'");
        refused(two, "CREATE TABLE b (id INT PRIMARY KEY)", SqlCode.TIMEOUT);
        run(one, "COMMIT");
        run(two, "CREATE TABLE b (id INT PRIMARY KEY)");
    }

    /** Transactions with definitions, other definitions and writers, all at once; each sees its own work whole. */
    @Test
    void definitionsOfConcurrentTransactionsKeepApart() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            String own = "own" + thread;
            boolean explicit = thread % 2 == 0;
            all.add(threads.submit(() -> {
                try (Session session = face.session("root")) {
                    for (int i = 0; i < 3; i++) {
                        String made = "CREATE TABLE " + own + " (id INT PRIMARY KEY, u INT UNIQUE); INSERT INTO " + own
                                + " VALUES (1, 1); CREATE INDEX " + own + "_i ON " + own + " (u, id); INSERT INTO "
                                + own + " VALUES (2, 2)";
                        refused(session, (explicit ? "BEGIN; " : "") + made + "; SELECT 1/0", SqlCode.DIVISION_BY_ZERO);
                        run(session, "ROLLBACK");
                        refused(session, "SELECT * FROM " + own, SqlCode.UNDEFINED_TABLE);
                        run(session, made);
                        assertThat(run(session, "SELECT id FROM " + own + " WHERE u = 2"))
                                .isEqualTo("2");
                        run(session, "DROP TABLE " + own);
                        run(session, "INSERT INTO t VALUES (" + own.charAt(3) + i + "00, 1)");
                    }
                }
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();
        assertThat(run(one, "SELECT count(*) FROM t")).isEqualTo("14");
        assertThat(run(one, "SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'own%'"))
                .isEqualTo("0");
    }

    @Test
    void whatCannotBeUndoneIsRefusedInATransaction() {
        for (String statement :
                List.of("TRUNCATE t", "FLUSH TABLE t", "STORAGE CHECK local", "CREATE INDEX i ON t (v)")) {
            refused(one, "INSERT INTO t VALUES (3, 3); " + statement, SqlCode.ACTIVE_TRANSACTION);
            assertThat(run(two, "SELECT count(*) FROM t")).isEqualTo("2");
        }
    }

    @Test
    void aTableWithUncommittedRowsIsNotRedefined() {
        refused(one, "INSERT INTO t VALUES (3, 3); ALTER TABLE t ADD COLUMN w INT", SqlCode.ACTIVE_TRANSACTION);
        run(one, "BEGIN");
        run(one, "SAVEPOINT s");
        refused(one, "CREATE TABLE a (id INT)", SqlCode.UNSUPPORTED);
        run(one, "ROLLBACK");
    }

    @Test
    void aReadOnlyTransactionWritesNothing() {
        for (String write : List.of(
                "INSERT INTO t VALUES (3, 3)",
                "UPDATE t SET v = 1",
                "DELETE FROM t",
                "CREATE TABLE a (id INT)",
                "DROP TABLE t",
                "EXPLAIN ANALYZE DELETE FROM t")) {
            run(one, "BEGIN READ ONLY");
            assertThat(run(one, "SELECT count(*) FROM t")).isEqualTo("2");
            refused(one, write, SqlCode.READ_ONLY);
            run(one, "ROLLBACK");
            run(one, "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
            refused(one, write, SqlCode.READ_ONLY);
            run(one, "SET default_transaction_read_only = off");
            run(one, "BEGIN; SET TRANSACTION READ ONLY");
            refused(one, write, SqlCode.READ_ONLY);
            run(one, "ROLLBACK");
            assertThat(run(one, "SELECT count(*) FROM t")).isEqualTo("2");
        }
    }

    /** Each reads what the other writes: in no serial order could both commit. */
    @ParameterizedTest
    @CsvSource({
        "SELECT sum(v) FROM t, SELECT sum(v) FROM t",
        "SELECT v FROM t WHERE id = 2, SELECT v FROM t WHERE id = 1",
        "SELECT v FROM t ORDER BY id, SELECT max(v) FROM t"
    })
    void serializableTransactionsAdmitNoWriteSkew(String first, String second) {
        run(one, "BEGIN ISOLATION LEVEL SERIALIZABLE");
        run(two, "BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ WRITE");
        assertThat(run(two, "SHOW transaction_isolation")).isEqualTo("serializable");
        run(one, first);
        run(two, second);
        run(one, "UPDATE t SET v = 0 WHERE id = 1");
        run(two, "UPDATE t SET v = 0 WHERE id = 2");
        run(one, "COMMIT");
        refused(two, "COMMIT", SqlCode.SERIALIZATION_FAILURE);
        assertThat(run(one, "SELECT v FROM t ORDER BY id")).isEqualTo("0 20");
    }

    @Test
    void serializableTransactionsOfDifferentTablesAreNoConflict() {
        run(one, "CREATE TABLE u (id INT PRIMARY KEY, v INT)");
        run(one, "BEGIN ISOLATION LEVEL SERIALIZABLE");
        run(two, "BEGIN ISOLATION LEVEL SERIALIZABLE");
        run(one, "SELECT sum(v) FROM t");
        run(two, "SELECT sum(v) FROM u");
        run(one, "INSERT INTO t VALUES (3, 3)");
        run(two, "INSERT INTO u VALUES (3, 3)");
        run(one, "COMMIT");
        run(two, "COMMIT");
        run(one, "BEGIN");
        run(one, "SELECT count(*) FROM t");
        refused(one, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", SqlCode.ACTIVE_TRANSACTION);
        run(one, "ROLLBACK");
    }

    @Test
    void theTimeOfATransactionIsFixed() {
        for (String now : List.of(
                "SELECT now()",
                "SELECT now() FROM t WHERE id = 1",
                "SELECT max(now()) FROM t",
                "SELECT current_timestamp",
                "SELECT localtimestamp",
                "SELECT current_time",
                "SELECT transaction_timestamp() FROM t WHERE v > 10",
                "UPDATE t SET v = v RETURNING now()")) {
            run(one, "BEGIN");
            String first = run(one, now);
            String start = run(one, "SELECT statement_timestamp()");
            // Another statement's time must differ, or the test would show nothing.
            while (run(one, "SELECT statement_timestamp()").equals(start)) {
                Thread.onSpinWait();
            }
            assertThat(run(one, now)).isEqualTo(first);
            run(one, "COMMIT");
            assertThat(run(one, now)).isNotEqualTo(first);
        }
    }

    @Test
    void theTimeMayStandWherePostgresAllowsIt() {
        for (String query : List.of(
                "SELECT count(*) FROM generate_series(now(), now() + interval '2 day', interval '1 day') g(x)",
                "SELECT count(*) FROM (SELECT now() AS n FROM t GROUP BY now()) q",
                "SELECT count(*) FROM t WHERE now() > timestamp '2020-01-01' AND current_date >= date '2020-01-01'",
                "SELECT extract(year FROM now()) > 2000, now()::date = current_date, age(now(), now()) = interval '0'",
                "SELECT now() - now(), date_trunc('day', localtimestamp) <= localtimestamp",
                "SELECT current_time IS NOT NULL AND localtime IS NOT NULL",
                "SELECT to_char(now(), 'YYYY') > '2000', coalesce(now(), now()) = current_timestamp",
                "WITH w AS (SELECT now() AS n) SELECT count(*) FROM w, t WHERE n <= now() LIMIT 1",
                "SELECT count(*) FROM t, LATERAL (SELECT now() AS n) l ORDER BY max(now())",
                "VALUES (now()), (statement_timestamp())")) {
            assertThat(run(one, query)).as(query).isNotEmpty();
        }
        run(one, "CREATE VIEW dated AS SELECT now() AS n, current_date AS d, id FROM t");
        assertThat(run(one, "SELECT count(*) FROM dated WHERE n = now() AND d = current_date"))
                .isEqualTo("2");
        assertThat(names(one, "SELECT now(), current_date, current_timestamp, localtimestamp, statement_timestamp()"))
                .isEqualTo("now current_date current_timestamp localtimestamp statement_timestamp");
    }

    private static String names(Session session, String query) {
        try (QueryRows rows = ((Outcome.Rows) session.execute(query)).rows()) {
            return rows.columns().stream().map(QueryRows.Output::name).collect(Collectors.joining(" "));
        }
    }

    @Test
    void settingsReturnWithARollback() {
        run(one, "CREATE NAMESPACE n");
        run(one, "BEGIN");
        run(one, "SET search_path = n");
        run(one, "SET application_name = 'x'");
        run(one, "ROLLBACK");
        assertThat(run(one, "SHOW search_path")).isEqualTo("default");
        assertThat(run(one, "SHOW application_name")).isEqualTo("(empty)");
        run(one, "BEGIN");
        run(one, "SET LOCAL application_name = 'x'");
        run(one, "SET search_path = n");
        assertThat(run(one, "SHOW application_name")).isEqualTo("x");
        run(one, "COMMIT");
        assertThat(run(one, "SHOW application_name")).isEqualTo("(empty)");
        assertThat(run(one, "SHOW search_path")).isEqualTo("n");
    }

    @Test
    void whatHasNoEffectIsRefused() {
        Map<String, SqlCode> statements = Map.ofEntries(
                Map.entry("SET nonsense = 5", SqlCode.UNDEFINED_OBJECT),
                Map.entry("RESET nonsense", SqlCode.UNDEFINED_OBJECT),
                Map.entry("SET standard_conforming_strings = off", SqlCode.INVALID_PARAMETER),
                Map.entry("SET client_encoding = 'LATIN1'", SqlCode.INVALID_PARAMETER),
                Map.entry("SET lock_timeout = '5s'", SqlCode.INVALID_PARAMETER),
                Map.entry("SET server_version = '1'", SqlCode.UNSUPPORTED),
                Map.entry("SET transaction_isolation = 'nothing'", SqlCode.INVALID_PARAMETER),
                Map.entry("BEGIN ISOLATION LEVEL NONSENSE", SqlCode.SYNTAX_ERROR),
                Map.entry("CREATE INDEX i ON t USING gin (v)", SqlCode.UNSUPPORTED),
                Map.entry("SELECT $0", SqlCode.UNDEFINED_PARAMETER));
        statements.forEach((statement, code) -> refused(one, statement, code));
    }

    @Test
    void textThatDoesNotFitLosesSpacesOnly() {
        run(one, "CREATE TABLE c (id INT PRIMARY KEY, s VARCHAR(3))");
        run(one, "INSERT INTO c VALUES (1, 'abc   ')");
        refused(one, "INSERT INTO c VALUES (2, E'abc\\n\\t')", SqlCode.TOO_LONG);
        assertThat(run(one, "SELECT id, length(s) FROM c")).isEqualTo("1|3");
    }

    @Test
    void anotherUsersStatementIsPartOfTheTransaction() {
        run(one, "CREATE USER TABLE own (id INT PRIMARY KEY)");
        refused(one, "EXECUTE AS USER 'ann' (INSERT INTO own VALUES (1)); SELECT 1/0", SqlCode.DIVISION_BY_ZERO);
        assertThat(run(one, "EXECUTE AS USER 'ann' (SELECT count(*) FROM own)")).isEqualTo("0");
        run(
                one,
                "EXECUTE AS USER 'ann' (INSERT INTO own VALUES (1)); EXECUTE AS USER 'bob' (INSERT INTO own VALUES (2))");
        assertThat(run(one, "EXECUTE AS USER 'ann' (SELECT * FROM own)")).isEqualTo("1");
        refused(one, "EXECUTE AS USER 'ann' (COMMIT)", SqlCode.UNSUPPORTED);
    }
}
