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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Isolation of concurrent sessions: snapshots, own writes, and first committer wins. */
@Timeout(60)
class ConflictTest {
    @TempDir
    private Path directory = Path.of("");

    private final HookedStore store = new HookedStore(new MemoryStore());
    private SqlFace face;
    private Session one;
    private Session two;

    @BeforeEach
    void open() {
        face = SqlFace.open(store, SqlOptions.in(directory));
        one = face.session("root");
        two = face.session("root");
        one.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT, name TEXT UNIQUE)");
        one.execute("INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b')");
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        face.close();
        store.close();
    }

    static String rows(Session session, String sql) {
        List<String> lines = new ArrayList<>();
        try (QueryRows rows = ((Outcome.Rows) session.execute(sql)).rows()) {
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (Object value : rows.row()) {
                    values.add(String.valueOf(value));
                }
                lines.add(String.join("|", values));
            }
        }
        return String.join(" ", lines);
    }

    private static void refused(Session session, String sql, SqlCode code) {
        assertThatThrownBy(() -> session.execute(sql))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(code));
    }

    /** A rolled-back part has no dependencies, so others may have changed the rows that it read. */
    @Test
    void aSavepointThatWasRolledBackConflictsWithNobody() {
        one.execute("BEGIN");
        one.execute("UPDATE t SET v = 11 WHERE id = 1");
        one.execute("SAVEPOINT s");
        one.execute("UPDATE t SET v = 21 WHERE id = 2");
        one.execute("ROLLBACK TO s");
        two.execute("UPDATE t SET v = 22 WHERE id = 2");
        one.execute("COMMIT");
        assertThat(rows(one, "SELECT v FROM t ORDER BY id")).isEqualTo("11 22");
    }

    @Test
    void aSavepointHidesAnEarlierOneOfItsNameUntilItIsReleased() {
        one.execute("BEGIN");
        one.execute("SAVEPOINT s");
        one.execute("UPDATE t SET v = 11 WHERE id = 1");
        one.execute("SAVEPOINT s");
        one.execute("UPDATE t SET v = 12 WHERE id = 1");
        one.execute("ROLLBACK TO s");
        assertThat(rows(one, "SELECT v FROM t WHERE id = 1")).isEqualTo("11");
        one.execute("RELEASE s");
        one.execute("ROLLBACK TO s");
        assertThat(rows(one, "SELECT v FROM t WHERE id = 1")).isEqualTo("10");
        one.execute("COMMIT");
    }

    @Test
    void theFirstToCommitWinsAndTheOtherIsToldToRetry() {
        one.execute("BEGIN");
        two.execute("BEGIN");
        one.execute("UPDATE t SET v = v + 1 WHERE id = 1");
        two.execute("UPDATE t SET v = v + 100 WHERE id = 1");
        one.execute("COMMIT");
        assertThatThrownBy(() -> two.execute("COMMIT")).isInstanceOfSatisfying(SqlError.class, error -> {
            assertThat(error.code().state()).isEqualTo("40001");
            assertThat(error.text()).contains("retry");
        });
        assertThat(two.isInTransaction()).isFalse();
        assertThat(rows(two, "SELECT v FROM t WHERE id = 1")).isEqualTo("11");
    }

    @Test
    void aTransactionSeesItsMomentAndItsOwnWrites() {
        one.execute("BEGIN");
        assertThat(rows(one, "SELECT sum(v) FROM t")).isEqualTo("30");
        two.execute("INSERT INTO t VALUES (3, 30, 'c')");
        two.execute("UPDATE t SET v = 0 WHERE id = 2");
        assertThat(rows(one, "SELECT sum(v) FROM t")).isEqualTo("30");
        assertThat(rows(one, "SELECT v FROM t WHERE id = 2")).isEqualTo("20");
        one.execute("INSERT INTO t VALUES (4, 5, 'd')");
        assertThat(rows(one, "SELECT id FROM t WHERE name = 'd'")).isEqualTo("4");
        assertThat(rows(one, "SELECT sum(v), count(*) FROM t")).isEqualTo("35|3");
        assertThat(rows(two, "SELECT count(*) FROM t WHERE id = 4")).isEqualTo("0");
        one.execute("COMMIT");
        assertThat(rows(one, "SELECT sum(v), count(*) FROM t")).isEqualTo("45|4");
    }

    /** DuckDB computes the value from the row, and another one commits before the row is read again to be written. */
    @ParameterizedTest
    @CsvSource({
        "UPDATE acct SET price = trunc(price / 2) WHERE id = 1, 500.00",
        "UPDATE acct SET price = trunc(price / 2) WHERE id = 1 AND trunc(price / 2) > 10, 500.00",
        "DELETE FROM acct WHERE id = 1 AND trunc(price / 2) < 100, 1000.00"
    })
    void aRowByKeyThatDuckComputesFromIsReadOnce(String statement, String left) {
        one.execute("CREATE TABLE acct (id INT PRIMARY KEY, price DECIMAL(10,2))");
        one.execute("INSERT INTO acct VALUES (1, 100)");
        store.beforeScan("acct", 2, () -> two.execute("UPDATE acct SET price = 1000 WHERE id = 1"));
        one.execute(statement);
        assertThat(rows(one, "SELECT price FROM acct WHERE id = 1")).isEqualTo(left);
    }

    @Test
    void aRowByKeyThatDuckComputesFromIsReadOnceWithParametersToo() {
        one.execute("CREATE TABLE acct (id INT PRIMARY KEY, price DECIMAL(10,2))");
        one.execute("INSERT INTO acct VALUES (1, 100)");
        store.beforeScan("acct", 2, () -> two.execute("UPDATE acct SET price = 1000 WHERE id = 1"));
        one.execute("UPDATE acct SET price = trunc(price / 2) WHERE id = ?", 1);
        assertThat(rows(one, "SELECT price FROM acct WHERE id = 1")).isEqualTo("500.00");
    }

    @Test
    void theSameNewKeyTwiceIsAConflict() {
        one.execute("BEGIN");
        two.execute("BEGIN");
        one.execute("INSERT INTO t VALUES (7, 1, 'x')");
        two.execute("INSERT INTO t VALUES (7, 2, 'y')");
        two.execute("COMMIT");
        refused(one, "COMMIT", SqlCode.SERIALIZATION_FAILURE);
        refused(one, "INSERT INTO t VALUES (7, 1, 'x')", SqlCode.UNIQUE_VIOLATION);
        assertThat(rows(one, "SELECT v FROM t WHERE id = 7")).isEqualTo("2");
    }

    @Test
    void theSameUniqueValueUnderTwoKeysIsAConflict() {
        one.execute("BEGIN");
        two.execute("BEGIN");
        one.execute("INSERT INTO t VALUES (7, 1, 'same')");
        two.execute("UPDATE t SET name = 'same' WHERE id = 1");
        one.execute("COMMIT");
        refused(two, "COMMIT", SqlCode.SERIALIZATION_FAILURE);
        assertThat(rows(one, "SELECT id FROM t WHERE name = 'same'")).isEqualTo("7");
    }

    @Test
    void aDeletedRowCannotBeChangedUnseen() {
        one.execute("BEGIN");
        one.execute("UPDATE t SET v = 99 WHERE id = 2");
        two.execute("DELETE FROM t WHERE id = 2");
        refused(one, "COMMIT", SqlCode.SERIALIZATION_FAILURE);
        assertThat(rows(one, "SELECT count(*) FROM t WHERE id = 2")).isEqualTo("0");
    }

    @Test
    void readersAndOtherRowsAreNoConflict() {
        one.execute("BEGIN");
        two.execute("BEGIN");
        assertThat(rows(two, "SELECT sum(v) FROM t")).isEqualTo("30");
        one.execute("UPDATE t SET v = 11 WHERE id = 1");
        two.execute("UPDATE t SET v = 21 WHERE id = 2");
        one.execute("COMMIT");
        two.execute("COMMIT");
        assertThat(rows(one, "SELECT id, v FROM t ORDER BY id")).isEqualTo("1|11 2|21");
    }

    @Test
    void aTableThatChangedMeanwhileIsAConflict() {
        one.execute("BEGIN");
        one.execute("INSERT INTO t VALUES (7, 1, 'x')");
        two.execute("ALTER TABLE t ADD COLUMN extra INT");
        refused(one, "COMMIT", SqlCode.SERIALIZATION_FAILURE);
        assertThat(rows(one, "SELECT count(*) FROM t")).isEqualTo("2");
    }

    /** In the transaction's snapshot an index from after it has no entries, as if no row had the value. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM t WHERE v = 10",
                "SELECT max(id) FROM t WHERE v = 10 GROUP BY v",
                "SELECT a.id FROM t a JOIN t b ON b.v = a.v WHERE a.id = 1",
                "UPDATE t SET name = 'x' WHERE v = 10",
                "DELETE FROM t WHERE v = 10 AND id IN (SELECT id FROM t)",
                "INSERT INTO t SELECT id + 10, v, name || 'x' FROM t WHERE v = 10"
            })
    void anIndexFromAfterTheTransactionsBeginIsAConflict(String statement) {
        one.execute("BEGIN");
        assertThat(rows(one, "SELECT count(*) FROM t")).isEqualTo("2");
        two.execute("CREATE INDEX by_v ON t (v)");
        refused(one, statement, SqlCode.SERIALIZATION_FAILURE);
        one.execute("ROLLBACK");
        one.execute(statement);
        assertThat(rows(one, "SELECT count(*) FROM t WHERE v = 20")).isEqualTo("1");
    }

    @Test
    void anIndexOfATableThatWasRenamedMeanwhileIsAConflictToo() {
        one.execute("BEGIN");
        assertThat(rows(one, "SELECT count(*) FROM t")).isEqualTo("2");
        two.execute("ALTER TABLE t RENAME TO u");
        two.execute("CREATE INDEX by_v ON u (v)");
        two.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT UNIQUE)");
        assertThat(rows(one, "SELECT id FROM t WHERE v = 10")).isEmpty();
        refused(one, "SELECT id FROM u WHERE v = 10", SqlCode.SERIALIZATION_FAILURE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT max(id) FROM t WHERE v = 10",
                "UPDATE t SET name = 'x' WHERE v = 10 AND id IN (SELECT id FROM t) RETURNING id",
                "INSERT INTO t SELECT id, v, name FROM t WHERE v = 10 ON CONFLICT (id) DO UPDATE SET v = 1 RETURNING id"
            })
    void anIndexThatComesBetweenAStatementsMomentAndItsPlanHidesNothing(String statement) {
        store.afterSnapshot(() -> two.execute("CREATE INDEX by_v ON t (v)"));
        assertThat(rows(one, statement)).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM t WHERE v = 10",
                "SELECT max(id) FROM t WHERE v = 10",
                "UPDATE t SET name = 'x' WHERE v = 10 RETURNING id"
            })
    void anIndexThatIsDroppedUnderAStatementFailsItNot(String statement) {
        one.execute("CREATE INDEX by_v ON t (v)");
        store.afterSnapshot(() -> two.execute("DROP INDEX by_v"));
        assertThat(rows(one, statement)).isEqualTo("1");
    }

    /** The scan of the rows excludes commits: otherwise a commit could slip in between the scan and the definition. */
    @ParameterizedTest
    @CsvSource({
        "ALTER TABLE t ALTER COLUMN v SET NOT NULL, 'INSERT INTO t VALUES (3, NULL, ''c'')', v",
        "ALTER TABLE empty ADD COLUMN w INT NOT NULL, 'INSERT INTO empty (id) VALUES (3)', w"
    })
    void aRowThatComesBesideItsColumnsNotNullIsRefused(String alter, String insert, String column) throws Exception {
        one.execute("CREATE TABLE empty (id INT PRIMARY KEY)");
        CompletableFuture<SqlCode> inserted = new CompletableFuture<>();
        String table = alter.split(" ", -1)[2];
        store.beforeScan(table, 1, () -> {
            var unused = inserted.completeAsync(() -> codeOf(two, insert));
            // The write must wait for the definition; otherwise its row would be there before.
            inserted.copy()
                    .completeOnTimeout(SqlCode.TIMEOUT, 1, TimeUnit.SECONDS)
                    .join();
        });
        one.execute(alter);
        assertThat(inserted.get(30, TimeUnit.SECONDS)).isEqualTo(SqlCode.NOT_NULL_VIOLATION);
        assertThat(rows(one, "SELECT count(*) FROM " + table + " WHERE " + column + " IS NULL"))
                .isEqualTo("0");
    }

    /** How the statement ended; {@link SqlCode#INTERNAL} if well. */
    private static SqlCode codeOf(Session session, String sql) {
        try {
            session.execute(sql);
            return SqlCode.INTERNAL;
        } catch (SqlError error) {
            return error.code();
        }
    }

    @Test
    void aRolledBackTransactionLeavesNothing() {
        one.execute("BEGIN");
        one.execute("DELETE FROM t");
        one.execute("INSERT INTO t VALUES (9, 9, 'z')");
        one.close();
        assertThat(rows(two, "SELECT id FROM t ORDER BY id")).isEqualTo("1 2");
    }

    /** Concurrent transfers between accounts, retried after conflicts, keep the total. */
    @Test
    void concurrentTransfersKeepTheSum() throws ExecutionException, InterruptedException {
        one.execute("CREATE TABLE account (id INT PRIMARY KEY, balance INT)");
        one.execute("INSERT INTO account SELECT x, 100 FROM generate_series(0, 9) g(x)");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<Integer>> retries = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            Random random = new Random(thread);
            retries.add(threads.submit(() -> {
                int lost = 0;
                try (Session session = face.session("root")) {
                    for (int i = 0; i < 50; i++) {
                        lost += transfer(session, random.nextInt(10), random.nextInt(10), random.nextInt(50));
                    }
                }
                return lost;
            }));
        }
        for (Future<Integer> retry : retries) {
            retry.get();
        }
        threads.shutdown();
        assertThat(rows(one, "SELECT sum(balance), count(*) FROM account")).isEqualTo("1000|10");
        assertThat(rows(one, "SELECT count(*) FROM account WHERE balance < 0")).isEqualTo("0");
    }

    /** How often it had to be tried again. */
    private static int transfer(Session session, int from, int to, int amount) {
        for (int attempt = 0; ; attempt++) {
            try {
                session.execute("BEGIN");
                int has = Integer.parseInt(rows(session, "SELECT balance FROM account WHERE id = " + from));
                if (from != to && has >= amount) {
                    session.execute("UPDATE account SET balance = balance - " + amount + " WHERE id = " + from);
                    session.execute("UPDATE account SET balance = balance + " + amount + " WHERE id = " + to);
                }
                session.execute("COMMIT");
                return attempt;
            } catch (SqlError lost) {
                assertThat(lost.code()).isEqualTo(SqlCode.SERIALIZATION_FAILURE);
            }
        }
    }

    /** Single statements retry by themselves. */
    @Test
    void concurrentIncrementsAllCount() throws ExecutionException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            all.add(threads.submit(() -> {
                try (Session session = face.session("root")) {
                    for (int i = 0; i < 100; i++) {
                        session.execute("UPDATE t SET v = v + 1 WHERE id = 1");
                    }
                }
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();
        assertThat(rows(one, "SELECT v FROM t WHERE id = 1")).isEqualTo("410");
    }

    /** A table is redefined under concurrent writers: their statements are retried with the new columns. */
    @Test
    void definitionsBesideWritersFailNoStatement() throws ExecutionException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < 3; thread++) {
            int first = 1000 * (thread + 1);
            all.add(threads.submit(() -> {
                try (Session session = face.session("root")) {
                    for (int i = first; i < first + 200; i++) {
                        session.execute("INSERT INTO t (id, v) VALUES (" + i + ", 0)");
                        session.execute("UPDATE t SET v = v + 1 WHERE id = ?", i);
                    }
                }
            }));
        }
        for (int i = 0; i < 20; i++) {
            one.execute("ALTER TABLE t ADD COLUMN x" + i + " INT DEFAULT " + i);
            one.execute("ALTER TABLE t SET (deleted_retention_hours = " + (i + 1) + ")");
        }
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();
        assertThat(rows(one, "SELECT count(*), sum(v), min(x7), max(x7) FROM t WHERE id >= 1000"))
                .isEqualTo("600|600|7|7");
    }

    /** A text that came before means what the catalog and the session say now. */
    @Test
    void aQueryThatComesAgainIsReadAnew() {
        String sql = "SELECT sum(v), current_user FROM t GROUP BY 2";
        assertThat(rows(one, sql)).isEqualTo("30|root");
        assertThat(rows(one, sql)).isEqualTo("30|root");
        try (Session ann = face.session("ann")) {
            assertThat(rows(ann, sql)).isEqualTo("30|ann");
        }
        two.execute("ALTER TABLE t RENAME COLUMN v TO w");
        two.execute("ALTER TABLE t ADD COLUMN v INT DEFAULT 1");
        assertThat(rows(one, sql)).isEqualTo("2|root");
        two.execute("CREATE NAMESPACE other");
        two.execute("CREATE TABLE other.t (id INT PRIMARY KEY, v INT)");
        two.execute("INSERT INTO other.t VALUES (1, 7)");
        one.execute("USE other");
        assertThat(rows(one, sql)).isEqualTo("7|root");
    }
}
