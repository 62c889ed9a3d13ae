package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.testkit.Rows;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flush policies, what transactions see during a flush, and what users may not see. */
class TierPoliciesTest {
    @TempDir
    private Path directory = Path.of("");

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore(MemoryStore.COMMITS_KEPT, clock);
    private volatile Step.Listener listener = step -> {};
    private TierFixture sql = new TierFixture(store, Path.of(System.getProperty("java.io.tmpdir")));

    @BeforeEach
    void open() {
        sql.close();
        reopen();
    }

    private void reopen() {
        SqlOptions options = SqlOptions.in(directory.resolve("sql")).withSteps(step -> listener.reached(step));
        sql = new TierFixture(store, options, clock);
    }

    @AfterEach
    void close() {
        sql.close();
        store.close();
    }

    private void awaitRow(String query) {
        Await.until(query + " finds a row", () -> !sql.ask(query).isEmpty());
    }

    @Test
    void aTableIsFlushedByRowsByTimeAndAfterARestart() {
        sql.run("CREATE TABLE r (id INT PRIMARY KEY)");
        sql.run("INSERT INTO r SELECT i FROM range(20) AS x(i)");
        sql.close();
        reopen();
        sql.run("ALTER TABLE r SET (flush_policy = 'rows:20')");
        awaitRow("SELECT 1 FROM system.manifests WHERE table_name = 'r' AND rows = 20");
        sql.run("CREATE TABLE i (id INT PRIMARY KEY) WITH (flush_policy = 'interval:600')");
        sql.run("INSERT INTO i VALUES (1)");
        sql.run("CREATE TABLE witness (id INT PRIMARY KEY) WITH (flush_policy = 'rows:1')");
        sql.run("INSERT INTO witness VALUES (1)");
        awaitRow("SELECT 1 FROM system.manifests WHERE table_name = 'witness'");
        assertThat(sql.ask("SELECT 1 FROM system.manifests WHERE table_name = 'i'"))
                .as("its time has not come")
                .isEmpty();
        clock.advance(Duration.ofSeconds(601));
        awaitRow("SELECT 1 FROM system.manifests WHERE table_name = 'i' AND rows = 1");
        assertThat(sql.ask("SELECT count(*) FROM i")).containsExactly("1");
    }

    @Test
    void smallFilesAreMergedAfterAFlushByPolicy() {
        sql.run("CREATE TABLE c (id INT PRIMARY KEY) WITH (flush_policy = 'rows:1', compaction_files = 3)");
        for (int i = 0; i < 3; i++) {
            sql.run("INSERT INTO c VALUES (" + i + ")");
            awaitRow("SELECT 1 FROM system.manifests WHERE table_name = 'c' AND rows = " + (i + 1));
        }
        awaitRow("SELECT 1 FROM system.manifests WHERE table_name = 'c' AND files = 1 AND rows = 3");
    }

    @Test
    void aFlushThatFailedForGoodIsBegunAgainByItsPolicy() {
        AtomicInteger failures = new AtomicInteger(7);
        listener = step -> {
            if (step == Step.FILE_WRITTEN && failures.getAndDecrement() > 0) {
                throw new StorageFailure("The storage is away", new IOException("test"));
            }
        };
        sql.run("CREATE TABLE f (id INT PRIMARY KEY) WITH (flush_policy = 'rows:5')");
        sql.run("INSERT INTO f SELECT i FROM range(5) AS x(i)");
        awaitRow("SELECT 1 FROM system.jobs WHERE status = 'failed' AND retries = 5 AND message LIKE '%away%'");
        assertThat(sql.ask("SELECT count(*) FROM f")).containsExactly("5");
        awaitRow("SELECT 1 FROM system.manifests WHERE table_name = 'f' AND rows = 5");
        assertThat(sql.ask("SELECT count(*) FROM f")).containsExactly("5");
    }

    @Test
    void theProgressOfAFlushIsItsRows() {
        sql.run("CREATE TABLE p (id INT PRIMARY KEY)");
        sql.run("INSERT INTO p SELECT i FROM range(2345) AS x(i)");
        sql.run("FLUSH TABLE p");
        sql.run("EXPORT TABLE p TO PARQUET 'p.parquet'");
        assertThat(
                        sql.ask(
                                "SELECT job_type, status, progress, retries FROM system.jobs ORDER BY created_at, job_type DESC"))
                .containsExactly("flush | completed | 2345 | 0", "export | completed | 2345 | 0");
    }

    @Test
    void aRowThatCameAndWasFlushedForTheFirstTimeIsAConflict() {
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
        try (Session other = sql.face.session("root")) {
            TierFixture.run(other, "BEGIN");
            TierFixture.run(other, "INSERT INTO t VALUES (1, 'mine')");
            sql.run("INSERT INTO t VALUES (1, 'theirs')");
            sql.run("FLUSH TABLE t");
            assertThatThrownBy(() -> TierFixture.run(other, "COMMIT"))
                    .isInstanceOf(SqlError.class)
                    .hasMessageContaining("serialize");
        }
        assertThat(sql.ask("SELECT v FROM t")).containsExactly("theirs");
    }

    @Test
    void uniqueIndexesKnowFlushedRows() {
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, mail TEXT UNIQUE, n INT)");
        sql.run("INSERT INTO t VALUES (1, 'a', 0), (2, 'b', 0), (3, 'c', 0)");
        sql.run("FLUSH TABLE t");
        sql.run("INSERT INTO t VALUES (9, 'b', 5) ON CONFLICT (mail) DO UPDATE SET n = t.n + excluded.n");
        sql.run("INSERT INTO t VALUES (9, 'b', 5) ON CONFLICT DO NOTHING");
        assertThat(sql.ask("SELECT * FROM t WHERE mail = 'b'")).containsExactly("2 | b | 5");
        assertThatThrownBy(() -> sql.run("UPDATE t SET mail = 'a' WHERE id = 3"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("unique");
        sql.run("DELETE FROM t WHERE mail = 'a'");
        sql.run("FLUSH TABLE t");
        sql.run("UPDATE t SET mail = 'a' WHERE id = 3");
        sql.run("INSERT INTO t VALUES (4, 'c', 1)");
        sql.run("FLUSH TABLE t");
        sql.run("COMPACT TABLE t");
        assertThat(sql.ask("SELECT * FROM t ORDER BY id")).containsExactly("2 | b | 5", "3 | a | 0", "4 | c | 1");
        assertThat(sql.ask("SELECT id FROM t WHERE mail = 'c'")).containsExactly("4");
    }

    @Test
    void deletedRowsAreInThePastAndNowhereElse() {
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT) WITH (deleted_retention_hours = 1)");
        sql.run("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
        sql.run("FLUSH TABLE t");
        sql.run("DELETE FROM t WHERE id = 1");
        sql.run("FLUSH TABLE t");
        clock.advance(Duration.ofHours(2));
        sql.run("COMPACT TABLE t");
        assertThat(sql.ask("SELECT rows FROM system.manifests"))
                .as("the tombstone hid nothing more")
                .containsExactly("1");
        assertThat(sql.ask("SELECT id FROM t AS OF VERSION 1 ORDER BY id")).containsExactly("1", "2");
        assertThat(sql.ask("SELECT id FROM t AS OF VERSION 2")).containsExactly("2");
        assertThat(sql.ask("SELECT id FROM t AS OF VERSION 3")).containsExactly("2");
        sql.run("INSERT INTO t VALUES (1, 'again')");
        assertThat(sql.ask("SELECT v FROM t ORDER BY id")).containsExactly("again", "b");
    }

    @Test
    void aLongTransactionSeesItsRowsBesideEveryStepOfAFlush() {
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
        sql.run("INSERT INTO t SELECT i, 0 FROM range(600) AS x(i)");
        List<String> seen = new ArrayList<>();
        try (Session old = sql.face.session("root");
                Session fresh = sql.face.session("root")) {
            TierFixture.run(old, "BEGIN");
            TierFixture.ask(old, "SELECT count(*) FROM t");
            sql.run("UPDATE t SET v = 1 WHERE id < 100");
            sql.run("DELETE FROM t WHERE id >= 500");
            listener = step -> {
                String query = "SELECT count(*), sum(v), count(DISTINCT id) FROM t";
                seen.addAll(TierFixture.ask(old, query));
                seen.addAll(TierFixture.ask(old, "SELECT v FROM t WHERE id = 50"));
                seen.addAll(TierFixture.ask(fresh, query));
                seen.addAll(TierFixture.ask(fresh, "SELECT v FROM t WHERE id = 50"));
                seen.addAll(TierFixture.ask(fresh, "SELECT v FROM t WHERE id = 550"));
            };
            sql.run("FLUSH TABLE t");
            sql.run("COMPACT TABLE t");
            listener = step -> {};
            TierFixture.run(old, "ROLLBACK");
        }
        assertThat(seen).hasSizeGreaterThan(20);
        for (int i = 0; i < seen.size(); i += 4) {
            assertThat(seen.subList(i, i + 4)).containsExactly("600 | 0 | 600", "0", "500 | 100 | 500", "1");
        }
    }

    private int hotRows(String name) {
        Table table = store.find(new TableName("default", name)).orElseThrow();
        return Rows.all(store, table).size();
    }

    /** Enough rows that a flush deletes them by range, around concurrent writes and tombstones that hide nothing. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void manyRowsGoAtOnceAndWhatChangedStays(int changes) {
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
        sql.run("INSERT INTO t SELECT i, 0 FROM range(8000) AS x(i)");
        sql.run("DELETE FROM t WHERE id IN (10, 4000)");
        try (Session other = sql.face.session("root");
                Session open = sql.face.session("root")) {
            TierFixture.run(open, "BEGIN");
            TierFixture.run(open, "UPDATE t SET v = 7 WHERE id = 77");
            listener = step -> {
                if (step == Step.MANIFEST_COMMITTED) {
                    TierFixture.run(other, "UPDATE t SET v = 1 WHERE id >= 500 AND id < " + (500 + changes));
                    TierFixture.run(other, "DELETE FROM t WHERE id = 6000");
                    TierFixture.run(other, "INSERT INTO t VALUES (10, 5), (-1, 5), (9000, 5)");
                    TierFixture.run(open, "COMMIT");
                }
            };
            assertThat(sql.run("FLUSH TABLE t")).isEqualTo(7998);
        }
        listener = step -> {};
        assertThat(hotRows("t")).isEqualTo(changes + 6);
        String expected = (8000 - 2 - 1 + 3) + " | " + (changes + 7 + 15);
        for (int i = 0; i < 2; i++) {
            assertThat(sql.ask("SELECT count(*), sum(v) FROM t")).containsExactly(expected);
            assertThat(sql.ask("SELECT id, v FROM t WHERE id IN (10, 77, 500, 4000, 6000, 7999) ORDER BY id"))
                    .containsExactly("10 | 5", "77 | 7", "500 | 1", "7999 | 0");
            sql.run("FLUSH TABLE t");
        }
    }

    @Test
    void keysOfStoragesAreShownToNobody() {
        String secret = "s3cr3tK3y";
        sql.run("CREATE STORAGE cloud TYPE s3 WITH (bucket = 'tables', endpoint = 'http://127.0.0.1:1', access_key ="
                + " 'AKIA', secret_key = '" + secret + "')");
        sql.run("ALTER STORAGE cloud SET (secret_key = '" + secret + "2')");
        sql.run("CREATE TABLE t (id INT PRIMARY KEY) WITH (storage_id = 'cloud')");
        List<String> told = new ArrayList<>();
        for (String statement : List.of(
                "STORAGE CHECK cloud",
                "CREATE STORAGE cloud TYPE s3 WITH (bucket = 'tables', secret_key = '" + secret + "')",
                "EXPLAIN CREATE STORAGE c2 TYPE s3 WITH (bucket = 'tables', secret_key = '" + secret + "')",
                "PREPARE p AS CREATE STORAGE c3 TYPE s3 WITH (bucket = 'tables', secret_key = '" + secret + "')")) {
            try {
                sql.run(statement);
            } catch (SqlError refused) {
                told.add(refused.text());
            }
        }
        told.addAll(sql.ask("SHOW STORAGES"));
        for (String table : sql.ask(
                "SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_schema = 'system'")) {
            told.addAll(sql.ask("SELECT * FROM " + table));
        }
        assertThat(told).hasSizeGreaterThan(20).noneMatch(line -> line.contains(secret) || line.contains("AKIA"));
    }

    @Test
    void onlyAdministratorsWorkOnFiles() {
        sql.run("CREATE TABLE t (id INT PRIMARY KEY)");
        try (Session bob = sql.face.session("bob")) {
            for (String statement : List.of(
                    "EXPORT TABLE t TO PARQUET 'x.parquet'",
                    "IMPORT INTO t FROM PARQUET 'x.parquet'",
                    "CREATE STORAGE b WITH (path = '/x')",
                    "ALTER STORAGE local SET (path = '/x')",
                    "DROP STORAGE local",
                    "FLUSH TABLE t",
                    "STORAGE CHECK local",
                    "KILL JOB 'x'")) {
                assertThatThrownBy(() -> TierFixture.run(bob, statement))
                        .as(statement)
                        .isInstanceOf(SqlError.class)
                        .hasMessageContaining("only users with role dba or system");
            }
        }
    }
}
