package io.polytable.sql;

import static io.polytable.sql.ConflictTest.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.setting.Settings;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableName;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Statements that exceed a time or memory limit, on both paths: they are cancelled, and the session stays usable. */
@Timeout(120)
class StoppedStatementsTest {
    private static final long MEMORY = 64L << 20;
    private static final long SPILL = 32L << 20;
    private static final String ENDLESS =
            "SELECT count(*) FROM range(1000000000) a, range(1000000) b WHERE a.range <> b.range";

    @TempDir
    private Path directory = Path.of("");

    private final HookedStore store = new HookedStore(new MemoryStore());
    private SqlFace face;
    private Session session;

    @BeforeEach
    void open() {
        face = SqlFace.open(
                store,
                new SqlOptions(
                        directory, MEMORY, 2, SPILL, Duration.ofSeconds(60), Settings.defaults(SqlSettings.all())));
        session = face.session("root");
        session.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
        session.execute("INSERT INTO t SELECT x, x FROM generate_series(1, 20000) g(x)");
    }

    @AfterEach
    void close() {
        session.close();
        face.close();
        store.close();
    }

    private static void refused(Runnable statement, SqlCode code) {
        assertThatThrownBy(statement::run)
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(code));
    }

    @Test
    void aQueryEndsAtItsTimeLimit() {
        session.execute("SET statement_timeout = '200ms'");
        refused(() -> rows(session, ENDLESS), SqlCode.TIMEOUT);
        assertThat(rows(session, "SELECT count(*) FROM t")).isEqualTo("20000");
    }

    @Test
    void theTimeLimitHoldsOnOurOwnPathToo() {
        session.execute("SET statement_timeout = '50ms'");
        try (QueryRows rows = ((Outcome.Rows) session.execute("SELECT id FROM t")).rows()) {
            long late = System.nanoTime() + Duration.ofMillis(100).toNanos();
            Await.until("the time limit is over", () -> System.nanoTime() - late > 0);
            refused(
                    () -> {
                        while (rows.next()) {
                            assertThat(rows.row()).hasSize(1);
                        }
                    },
                    SqlCode.TIMEOUT);
        }
    }

    @Test
    void anUpdateThatIsStoppedChangesNothing() {
        session.execute("SET statement_timeout = '1ms'");
        refused(() -> session.execute("UPDATE t SET v = v + 1"), SqlCode.TIMEOUT);
        refused(() -> session.execute("DELETE FROM t WHERE v % 2 = 0"), SqlCode.TIMEOUT);
        session.execute("SET statement_timeout = 0");
        assertThat(rows(session, "SELECT sum(v), count(*) FROM t")).isEqualTo("200010000|20000");
    }

    @Test
    void aTimeLimitInsideATransactionFailsIt() {
        session.execute("SET statement_timeout = '100ms'");
        session.execute("BEGIN");
        session.execute("UPDATE t SET v = 0 WHERE id = 1");
        refused(() -> rows(session, ENDLESS), SqlCode.TIMEOUT);
        refused(() -> rows(session, "SELECT 1"), SqlCode.FAILED_TRANSACTION);
        session.execute("ROLLBACK");
        assertThat(rows(session, "SELECT v FROM t WHERE id = 1")).isEqualTo("1");
    }

    @Test
    void anybodyOfTheSameUserCanKillAQuery() throws ExecutionException, InterruptedException {
        try (Session other = face.session("root")) {
            CompletableFuture<SqlCode> ended = inBackground(ENDLESS);
            String id = running(other);
            other.execute("KILL QUERY '" + id + "'");
            assertThat(ended.get()).isEqualTo(SqlCode.CANCELLED);
            assertThat(rows(
                            other,
                            "SELECT count(*) FROM system.live_queries WHERE query LIKE '%1000000000%' AND"
                                    + " query NOT LIKE '%live_queries%'"))
                    .isEqualTo("0");
            refused(() -> other.execute("KILL QUERY '" + id + "'"), SqlCode.UNDEFINED_OBJECT);
            refused(() -> other.execute("KILL QUERY 'x'"), SqlCode.UNDEFINED_OBJECT);
        }
        assertThat(rows(session, "SELECT 1")).isEqualTo("1");
    }

    @Test
    void aWalkOnOurOwnPathCanBeKilled() {
        try (Session other = face.session("root");
                QueryRows rows = ((Outcome.Rows) session.execute("SELECT id, v FROM t")).rows()) {
            assertThat(rows.next()).isTrue();
            String id = rows(other, "SELECT live_id FROM system.live_queries WHERE query = 'SELECT id, v FROM t'");
            other.execute("KILL QUERY '" + id + "'");
            refused(rows::next, SqlCode.CANCELLED);
        }
        assertThat(rows(session, "SELECT count(*) FROM system.live_queries WHERE query = 'SELECT id, v FROM t'"))
                .isEqualTo("0");
    }

    @Test
    void aSessionCanCancelWhatItRuns() throws ExecutionException, InterruptedException {
        try (Session other = face.session("root")) {
            CompletableFuture<SqlCode> ended = inBackground(ENDLESS);
            assertThat(running(other)).isNotEmpty();
            session.cancel();
            assertThat(ended.get()).isEqualTo(SqlCode.CANCELLED);
        }
    }

    @Test
    void anIndexThatTakesTooLongIsNotMade() {
        session.execute("SET statement_timeout = '1ms'");
        refused(() -> session.execute("CREATE INDEX by_v ON t (v)"), SqlCode.TIMEOUT);
        session.execute("SET statement_timeout = 0");
        assertThat(rows(session, "EXPLAIN SELECT id FROM t WHERE v = 7")).doesNotContain("by_v");
        session.execute("CREATE INDEX by_v ON t (v)");
        assertThat(rows(session, "SELECT id FROM t WHERE v = 7")).isEqualTo("7");
    }

    @Test
    void writersGoOnWhileAnIndexReadsItsRows() throws Exception {
        CountDownLatch building = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.afterSnapshot(() -> {
            building.countDown();
            awaitQuietly(goOn);
        });
        CompletableFuture<SqlCode> built = inBackground("CREATE INDEX by_v ON t (v)");
        try (Session other = face.session("root")) {
            assertThat(building.await(30, TimeUnit.SECONDS)).isTrue();
            other.execute("UPDATE t SET v = 0 WHERE id = 1");
            goOn.countDown();
            assertThat(built.get(30, TimeUnit.SECONDS)).isEqualTo(SqlCode.INTERNAL);
            assertThat(rows(other, "EXPLAIN SELECT id FROM t WHERE v = 0")).contains("by_v");
            assertThat(rows(other, "SELECT id FROM t WHERE v = 0")).isEqualTo("1");
            assertThat(rows(other, "SELECT id FROM t WHERE v = 7")).isEqualTo("7");
        } finally {
            goOn.countDown();
        }
    }

    /** A step of an index build excludes commits. The build can be killed, and waiting statements have their own time limits. */
    @Test
    void anIndexCanBeKilledAndWhoWaitsForItEndsInTime() throws Exception {
        CountDownLatch building = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.beforeCommit(1, () -> {
            building.countDown();
            awaitQuietly(goOn);
        });
        CompletableFuture<SqlCode> built = inBackground("CREATE INDEX by_v ON t (v)");
        try (Session other = face.session("root")) {
            assertThat(building.await(30, TimeUnit.SECONDS)).isTrue();
            other.execute("SET statement_timeout = '100ms'");
            refused(() -> other.execute("UPDATE t SET v = 0 WHERE id = 1"), SqlCode.TIMEOUT);
            refused(() -> other.execute("COMMENT ON TABLE t IS 'x'"), SqlCode.TIMEOUT);
            other.execute("BEGIN");
            other.execute("INSERT INTO t VALUES (0, 0)");
            refused(() -> other.execute("COMMIT"), SqlCode.TIMEOUT);
            assertThat(other.isInTransaction()).isFalse();
            other.execute("SET statement_timeout = 0");
            other.execute("KILL QUERY '"
                    + rows(other, "SELECT live_id FROM system.live_queries WHERE query LIKE 'CREATE INDEX%'") + "'");
            goOn.countDown();
            assertThat(built.get(30, TimeUnit.SECONDS)).isEqualTo(SqlCode.CANCELLED);
            assertThat(rows(other, "SELECT sum(v), count(*) FROM t")).isEqualTo("200010000|20000");
            assertThat(rows(other, "EXPLAIN SELECT id FROM t WHERE v = 7")).doesNotContain("by_v");
            other.execute("CREATE INDEX by_v ON t (v)");
            other.execute("UPDATE t SET v = 0 WHERE id = 1");
            assertThat(rows(other, "SELECT id FROM t WHERE v = 0")).isEqualTo("1");
        } finally {
            goOn.countDown();
        }
    }

    @Test
    void aWriterThatWaitsForAnIndexCanBeCancelled() throws Exception {
        CountDownLatch building = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.beforeCommit(1, () -> {
            building.countDown();
            awaitQuietly(goOn);
        });
        try (Session other = face.session("root")) {
            CompletableFuture<?> built = CompletableFuture.runAsync(() -> other.execute("CREATE INDEX by_v ON t (v)"));
            assertThat(building.await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<SqlCode> written = inBackground("UPDATE t SET v = 0 WHERE id = 1");
            Await.until("the writer has ended", () -> {
                session.cancel();
                return written.isDone();
            });
            assertThat(written.get()).isEqualTo(SqlCode.CANCELLED);
            goOn.countDown();
            built.get(30, TimeUnit.SECONDS);
            assertThat(rows(session, "SELECT id FROM t WHERE v = 1")).isEqualTo("1");
        } finally {
            goOn.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<SqlCode> inBackground(String sql) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                if (session.execute(sql) instanceof Outcome.Rows result) {
                    try (QueryRows rows = result.rows()) {
                        while (rows.next()) {
                            assertThat(rows.row()).isNotNull();
                        }
                    }
                }
                return SqlCode.INTERNAL;
            } catch (SqlError error) {
                return error.code();
            }
        });
    }

    private static String running(Session session) {
        String find = "SELECT live_id FROM system.live_queries WHERE query LIKE '%range(1000000000)%'"
                + " AND query NOT LIKE '%live_queries%'";
        Await.until("the query runs", () -> !rows(session, find).isEmpty());
        return rows(session, find);
    }

    @Test
    void aQueryBeyondItsMemoryIsRefusedAndTheNextOneWorks() {
        refused(
                () -> rows(
                        session,
                        "SELECT count(*) FROM (SELECT DISTINCT x, repeat('y', 200) || x AS y FROM range(3000000) r(x))"),
                SqlCode.OUT_OF_MEMORY);
        assertThat(rows(session, "SELECT sum(v) FROM t")).isEqualTo("200010000");
    }

    /** The result exceeds DuckDB's limits for memory and disk, so it fails unless it is streamed. */
    @Test
    void aLargeResultIsReadInBoundedMemory() {
        long bytes = 0;
        try (QueryRows rows =
                ((Outcome.Rows) session.execute("SELECT x, repeat('y', 200) FROM range(700000) r(x)")).rows()) {
            while (rows.next()) {
                bytes += String.valueOf(rows.row()[1]).length();
            }
        }
        assertThat(bytes).isEqualTo(140_000_000);
    }

    /** A statement's memory counts against the heap budget and is released however the statement ends. */
    @Test
    void aStatementThatCollectsMoreThanTheHeapHasIsRefused() {
        refused(
                () -> session.execute("INSERT INTO t SELECT x, 1 FROM range(100000, 2000000000) r(x)"),
                SqlCode.OUT_OF_MEMORY);
        assertThat(face.engine().budget().heldBytes()).isZero();
        session.execute("BEGIN");
        session.execute("UPDATE t SET v = v + 1 WHERE id <= 100");
        assertThat(face.engine().budget().heldBytes()).isPositive();
        session.execute("COMMIT");
        assertThat(face.engine().budget().heldBytes()).isZero();
        assertThat(rows(session, "SELECT sum(v), count(*) FROM t")).isEqualTo("200010100|20000");
    }

    @Test
    void preparedStatementsTakeMemoryOfAllSessions() {
        String large = " AS DELETE FROM t WHERE id IN (" + "1,".repeat(200_000) + "1)";
        try (Session other = face.session("root")) {
            refused(
                    () -> {
                        for (int i = 0; i < Session.PREPARED_MAX; i++) {
                            other.execute("PREPARE p" + i + large);
                        }
                    },
                    SqlCode.OUT_OF_MEMORY);
            long full = face.engine().budget().heldBytes();
            other.execute("DEALLOCATE p0");
            assertThat(face.engine().budget().heldBytes()).isLessThan(full);
            other.execute("PREPARE again" + large);
            refused(() -> other.execute("PREPARE again AS SELECT 1"), SqlCode.DUPLICATE_PREPARED);
            assertThat(face.engine().budget().heldBytes()).isEqualTo(full);
            other.execute("DEALLOCATE ALL");
            assertThat(face.engine().budget().heldBytes()).isZero();
            other.execute("PREPARE p AS SELECT v FROM t WHERE id = $1");
            assertThat(rows(other, "EXECUTE p(7)")).isEqualTo("7");
        }
        assertThat(face.engine().budget().heldBytes()).isZero();
        session.execute("EXECUTE AS USER 'ann' (PREPARE p AS SELECT 1)");
        assertThat(face.engine().budget().heldBytes()).isZero();
    }

    @Test
    void rollingBackToASavepointGivesItsMemoryBack() {
        session.execute("BEGIN");
        session.execute("UPDATE t SET v = v + 1 WHERE id <= 100");
        long before = face.engine().budget().heldBytes();
        session.execute("SAVEPOINT s");
        for (int i = 0; i < 3; i++) {
            session.execute("UPDATE t SET v = v + 1");
            assertThat(face.engine().budget().heldBytes()).isGreaterThan(before);
            session.execute("ROLLBACK TO SAVEPOINT s");
            assertThat(face.engine().budget().heldBytes()).isEqualTo(before);
        }
        session.execute("COMMIT");
        assertThat(rows(session, "SELECT sum(v) FROM t")).isEqualTo("200010100");
    }

    /** Expressions compiled for dropped tables must not accumulate on the heap. */
    @Test
    void nobodyHoldsADroppedTable() {
        session.execute("CREATE TABLE gone (id INT PRIMARY KEY, v INT)");
        session.execute("INSERT INTO gone VALUES (?, ?)", 1, 2);
        assertThat(row("SELECT v FROM gone WHERE id = ?", 1)).isEqualTo("2");
        session.execute("UPDATE gone SET v = v + ? WHERE id = ?", 1, 1);
        WeakReference<SqlTable> dropped = new WeakReference<>(face.engine()
                .catalog()
                .state()
                .table(new TableName("default", "gone"))
                .orElseThrow());
        session.execute("DROP TABLE gone");
        session.execute("CREATE TABLE gone (v TEXT, id INT PRIMARY KEY)");
        session.execute("INSERT INTO gone VALUES (?, ?)", "new", 1);
        assertThat(row("SELECT v FROM gone WHERE id = ?", 1)).isEqualTo("new");
        Await.until("the dropped table is collected", () -> {
            System.gc();
            return dropped.get() == null;
        });
    }

    private String row(String sql, Object parameter) {
        try (QueryRows rows = ((Outcome.Rows) session.execute(sql, parameter)).rows()) {
            return rows.next() ? String.valueOf(rows.row()[0]) : "";
        }
    }

    @Test
    void valuesThatAreLargerThanTheHeapAreRefused() {
        refused(() -> rows(session, "SELECT repeat('x', 2000000000)"), SqlCode.LIMIT_EXCEEDED);
        refused(() -> rows(session, "SELECT lpad('x', 2000000000)"), SqlCode.LIMIT_EXCEEDED);
        refused(() -> rows(session, "SELECT repeat('x', 300000), x FROM range(100000) r(x)"), SqlCode.OUT_OF_MEMORY);
        refused(() -> rows(session, "SELECT list(x) FROM range(3000000) r(x)"), SqlCode.OUT_OF_MEMORY);
        assertThat(rows(session, "SELECT list(x) FROM range(20000) r(x)"))
                .startsWith("{0,1,2,")
                .endsWith(",19999}");
        assertThat(rows(session, "SELECT row(NULL, 1, 'a,b'), [NULL, 1]")).isEqualTo("(,1,\"a,b\")|{NULL,1}");
        assertThat(rows(session, "SELECT length(repeat('x', 10000000))")).isEqualTo("10000000");
        assertThat(rows(session, "SELECT repeat('x', 1000000)")).hasSize(1_000_000);
        assertThat(rows(session, "SELECT repeat('x', -1) || repeat('ab', 2)")).isEqualTo("abab");
    }

    @Test
    void valuesOfAnySizeAreRefusedBeforeTheyAreComputed() {
        refused(() -> rows(session, "SELECT length(range(1000000000))"), SqlCode.OUT_OF_MEMORY);
        refused(() -> rows(session, "SELECT len(generate_series(id, 1000000000)) FROM t"), SqlCode.OUT_OF_MEMORY);
        refused(
                () -> rows(session, "SELECT length(replace(repeat('x', 100000), 'x', repeat('y', 100000)))"),
                SqlCode.OUT_OF_MEMORY);
        refused(
                () -> rows(session, "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))"),
                SqlCode.LIMIT_EXCEEDED);
        // Each value is allowed, a batch of them is not.
        refused(() -> rows(session, "SELECT sum(length(repeat('x', 1000000 + v))) FROM t"), SqlCode.OUT_OF_MEMORY);
        refused(() -> rows(session, doubled(10)), SqlCode.OUT_OF_MEMORY);
        assertThat(rows(session, "SELECT replace('aXa', 'X', 'long'), levenshtein('abc', 'abd')"))
                .isEqualTo("alonga|1");
        assertThat(rows(session, "SELECT regexp_replace('foobar', 'o', '00', 'g'), len(range(1, 10, 3))"))
                .isEqualTo("f0000bar|3");
        assertThat(rows(session, "SELECT len(range(DATE '2000-01-01', DATE '2001-01-01', INTERVAL '1 day'))"))
                .isEqualTo("366");
        assertThat(rows(session, "SELECT a || b FROM (SELECT 'x' || v AS a, v AS b FROM t WHERE id = 1) q"))
                .isEqualTo("x11");
    }

    /** Texts that double at each level of nested queries. */
    private static String doubled(int levels) {
        String query = "SELECT repeat('x', 1000000 + v) AS v FROM t WHERE id = 1";
        for (int i = 0; i < levels; i++) {
            query = "SELECT v || v AS v FROM (" + query + ") q" + i;
        }
        return "SELECT length(v) FROM (" + query + ") q";
    }

    @Test
    void aQueryThatWouldTakeLongToPlanIsRefused() {
        refused(
                () -> rows(session, "SELECT id FROM t WHERE v + 1 IN (" + "1,".repeat(100_000) + "1)"),
                SqlCode.LIMIT_EXCEEDED);
        refused(() -> rows(session, "SELECT 1 UNION ALL ".repeat(5_000) + "SELECT 1"), SqlCode.LIMIT_EXCEEDED);
        assertThat(rows(session, "SELECT count(*) FROM t WHERE v + 1 IN (" + "1,".repeat(1_000) + "2)"))
                .isEqualTo("1");
    }

    /** The types of such a result are known only when it runs. */
    @Test
    void aResultOfParametersHasTheirTypes() {
        try (QueryRows rows = ((Outcome.Rows) session.execute("SELECT ?, ? + 1, 'x'", "given", 41)).rows()) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.row()).containsExactly("given", 42, "x");
        }
    }

    @Test
    void aTextThatLooksLikeAnErrorIsNone() {
        refused(() -> rows(session, "SELECT cast('sqlerror<NONSENSE>' AS int)"), SqlCode.INVALID_VALUE);
    }

    @Test
    void whoLeavesEarlyLeavesNothingBehind() {
        for (int i = 0; i < 70; i++) {
            try (QueryRows rows =
                    ((Outcome.Rows) session.execute("SELECT t.v + 1 FROM t, range(1000) r WHERE t.id < 10")).rows()) {
                assertThat(rows.next()).isTrue();
            }
        }
        assertThat(rows(
                        session,
                        "SELECT count(*) FROM system.live_queries WHERE query LIKE '%range(1000)%' AND"
                                + " query NOT LIKE '%live_queries%'"))
                .isEqualTo("0");
    }
}
