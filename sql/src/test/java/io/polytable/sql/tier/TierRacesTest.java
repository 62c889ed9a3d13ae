package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Concurrent changes of a table at a chosen step of a job on its files. */
@Timeout(120)
class TierRacesTest {
    @TempDir
    private Path directory = Path.of("");

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore(MemoryStore.COMMITS_KEPT, clock);
    private volatile Step.Listener listener = step -> {};
    private TierFixture sql = new TierFixture(store, Path.of(System.getProperty("java.io.tmpdir")));

    @BeforeEach
    void open() {
        reopen();
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
        sql.run("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    }

    private void reopen() {
        sql.close();
        SqlOptions options = SqlOptions.in(directory.resolve("sql")).withSteps(step -> listener.reached(step));
        sql = new TierFixture(store, options, clock);
    }

    @AfterEach
    void close() {
        listener = step -> {};
        sql.close();
        store.close();
    }

    private List<String> parquet(String table) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("sql/tables"))) {
            return files.filter(Files::isRegularFile)
                    .map(Path::toString)
                    .filter(name -> name.contains("/" + table + "/") && name.endsWith(".parquet"))
                    .sorted()
                    .toList();
        }
    }

    /** Runs statements on a session of their own when the step is first reached. */
    private void at(Step step, String... statements) {
        AtomicBoolean done = new AtomicBoolean();
        listener = reached -> {
            if (reached == step && done.compareAndSet(false, true)) {
                try (Session other = sql.face.session("root")) {
                    for (String statement : statements) {
                        TierFixture.run(other, statement);
                    }
                }
            }
        };
    }

    private void runOrFail(String statement) {
        try {
            sql.run(statement);
        } catch (SqlError refused) {
            assertThat(refused.text()).contains("emptied or dropped");
        }
    }

    private void assertRows(String... rows) {
        assertThat(sql.ask("SELECT id, v FROM t ORDER BY id")).containsExactly(rows);
        assertThat(sql.ask("SELECT id, max(v) FROM t GROUP BY id HAVING count(*) = 1 ORDER BY id"))
                .containsExactly(rows);
        for (String row : rows) {
            String id = row.substring(0, row.indexOf(' '));
            assertThat(sql.ask("SELECT id, v FROM t WHERE id = " + id)).containsExactly(row);
        }
    }

    /** The rows are the same hot, flushed, merged and after a restart. */
    private void assertRowsFromNowOn(String... rows) {
        listener = step -> {};
        assertRows(rows);
        sql.run("FLUSH TABLE t");
        sql.run("COMPACT TABLE t");
        assertRows(rows);
        reopen();
        clock.advance(Duration.ofHours(30));
        sql.run("STORAGE EXPIRE TABLE t");
        assertRows(rows);
    }

    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"FILE_REMOVED", "ROWS_PARTLY_DELETED"},
            mode = EnumSource.Mode.EXCLUDE)
    void aTruncateBesideAnyStepOfAFlushWins(Step step) {
        sql.run("FLUSH TABLE t");
        sql.run("UPDATE t SET v = 'x' WHERE id = 2");
        at(step, "TRUNCATE TABLE t", "INSERT INTO t VALUES (2, 'b'), (7, 'new')");
        runOrFail("FLUSH TABLE t");
        assertRowsFromNowOn("2 | b", "7 | new");
    }

    @Test
    void aTruncateBesideRowsThatAreDeletedOneByOneWins() {
        sql.run("INSERT INTO t SELECT i, 'many' FROM range(10, 1000) AS r(i)");
        // The same rows again: the flush must not take them for those that it moved.
        at(Step.ROWS_PARTLY_DELETED, "TRUNCATE TABLE t", "INSERT INTO t VALUES (1, 'a'), (900, 'many')");
        runOrFail("FLUSH TABLE t");
        assertRowsFromNowOn("1 | a", "900 | many");
    }

    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"FILE_WRITTEN", "FILE_PUBLISHED", "MANIFEST_WRITTEN", "MANIFEST_COMMITTED"})
    void aTruncateBesideACompactionWins(Step step) {
        sql.run("FLUSH TABLE t");
        sql.run("UPDATE t SET v = 'x' WHERE id = 2");
        sql.run("FLUSH TABLE t");
        at(step, "TRUNCATE TABLE t", "INSERT INTO t VALUES (3, 'new')");
        runOrFail("COMPACT TABLE t");
        assertRowsFromNowOn("3 | new");
    }

    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"FILE_WRITTEN", "FILE_PUBLISHED", "MANIFEST_WRITTEN", "MANIFEST_COMMITTED"})
    void writesBesideACompactionHideWhatItMerges(Step step) {
        sql.run("ALTER TABLE t SET (deleted_retention_hours = 1)");
        sql.run("FLUSH TABLE t");
        sql.run("DELETE FROM t WHERE id = 3");
        sql.run("FLUSH TABLE t");
        clock.advance(Duration.ofHours(2));
        at(
                step,
                "DELETE FROM t WHERE id = 1",
                "UPDATE t SET v = 'later' WHERE id = 2",
                "INSERT INTO t VALUES (3, 'again')");
        sql.run("COMPACT TABLE t");
        assertRowsFromNowOn("2 | later", "3 | again");
    }

    @Test
    void aTruncateBesideRetentionKeepsWhatItReplacedForItsTime() throws IOException {
        sql.run("FLUSH TABLE t");
        sql.run("UPDATE t SET v = 'x' WHERE id = 2");
        sql.run("FLUSH TABLE t");
        sql.run("COMPACT TABLE t");
        clock.advance(Duration.ofHours(25));
        at(Step.FILE_REMOVED, "TRUNCATE TABLE t", "INSERT INTO t VALUES (9, 'new')");
        sql.run("STORAGE EXPIRE TABLE t");
        assertThat(parquet("t")).as("what the TRUNCATE replaced just now").isNotEmpty();
        assertThat(sql.ask("SELECT id, v FROM t AS OF VERSION 3 ORDER BY id"))
                .containsExactly("1 | a", "2 | x", "3 | c");
        assertRowsFromNowOn("9 | new");
    }

    /** Each version shares files with those before it: only files that no version needs are deleted. */
    @Test
    void retentionGoesByTheLastVersionOfEachFile() throws IOException {
        sql.run("ALTER TABLE t SET (file_retention_hours = 1000)");
        for (int i = 10; i < 22; i++) {
            clock.advance(Duration.ofHours(3));
            sql.run("INSERT INTO t VALUES (" + i + ", 'n')");
            sql.run("FLUSH TABLE t");
            if (i % 4 == 0) {
                sql.run("COMPACT TABLE t");
            }
        }
        List<String> versions = sql.ask("SELECT version FROM system.manifest_versions ORDER BY 1");
        List<List<String>> before = new ArrayList<>();
        for (String version : versions) {
            before.add(sql.ask("SELECT count(*), sum(id) FROM t AS OF VERSION " + version));
        }
        List<String> all = sql.ask("SELECT count(*), sum(id) FROM t");
        for (int round = 0; round < 12; round++) {
            // By the option and not by the clock: a round of housekeeping must not come in between.
            sql.run("ALTER TABLE t SET (file_retention_hours = " + (37 - 3 * round) + ")");
            sql.run("STORAGE EXPIRE TABLE t");
            List<String> left = sql.ask("SELECT version FROM system.manifest_versions ORDER BY 1");
            for (String version : left) {
                assertThat(sql.ask("SELECT count(*), sum(id) FROM t AS OF VERSION " + version))
                        .as("version %s in round %d", version, round)
                        .isEqualTo(before.get(versions.indexOf(version)));
            }
            assertThat(sql.ask("SELECT count(*), sum(id) FROM t")).isEqualTo(all);
        }
        clock.advance(Duration.ofHours(5));
        sql.run("STORAGE EXPIRE TABLE t");
        assertThat(sql.ask("SELECT version FROM system.manifest_versions")).hasSize(1);
        assertThat(sql.ask("SELECT files FROM system.manifests"))
                .containsExactly(Integer.toString(parquet("t").size()));
    }

    /** A scan opens its second file after it has released the first; by then the second was replaced long ago. */
    @ParameterizedTest
    @CsvSource({"ASC", "DESC"})
    void filesOfARunningReadStay(String order) throws IOException {
        sql.run("FLUSH TABLE t");
        sql.run("INSERT INTO t SELECT i, 'later' FROM range(4, 7) AS r(i)");
        sql.run("FLUSH TABLE t");
        List<Integer> read = new ArrayList<>();
        try (Session reader = sql.face.session("root")) {
            String query = "SELECT id FROM t WHERE id >= 1 ORDER BY id " + order + " LIMIT 100";
            try (QueryRows rows = ((Outcome.Rows) reader.execute(query)).rows()) {
                while (read.size() < 3 && rows.next()) {
                    read.add((Integer) rows.row()[0]);
                }
                sql.run("COMPACT TABLE t");
                clock.advance(Duration.ofHours(25));
                sql.run("STORAGE EXPIRE TABLE t");
                while (rows.next()) {
                    read.add((Integer) rows.row()[0]);
                }
            }
        }
        assertThat(read).hasSize(6).doesNotHaveDuplicates();
        sql.run("STORAGE EXPIRE TABLE t");
        assertThat(parquet("t")).hasSize(1);
    }

    @Test
    void whatAJobLeftGoesAlsoIfItIsKilledBeforeItIsResumed() throws IOException {
        sql.run("CREATE TABLE u (id INT PRIMARY KEY)");
        sql.run("INSERT INTO u VALUES (1)");
        listener = step -> {
            if (step == Step.FILE_PUBLISHED) {
                throw new StorageFailure("The storage is away", new IOException("test"));
            }
        };
        sql.run("SET statement_timeout = '1ms'");
        for (String table : List.of("t", "u")) {
            assertThatThrownBy(() -> sql.run("FLUSH TABLE " + table)).isInstanceOf(SqlError.class);
        }
        sql.run("SET statement_timeout = '30s'");
        String left = "SELECT job_id FROM system.jobs WHERE parameters LIKE '%default.u%' AND retries > 0";
        while (sql.ask(left).isEmpty()) {
            Thread.onSpinWait();
        }
        CountDownLatch go = new CountDownLatch(1);
        listener = step -> awaited(go);
        reopen();
        assertThat(parquet("u")).as("a file that no manifest knows").isNotEmpty();
        String job = sql.ask(
                        "SELECT job_id FROM system.jobs WHERE finished_at IS NULL AND parameters LIKE '%default.u%'")
                .get(0);
        sql.run("KILL JOB '" + job + "'");
        go.countDown();
        sql.run("STORAGE EXPIRE TABLE u");
        assertThat(parquet("u")).isEmpty();
        assertThat(sql.ask("SELECT count(*) FROM u")).containsExactly("1");
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** A column of the same name is another column: older files have values of the dropped one. */
    @Test
    void aColumnOfTheSameNameIsAnotherColumn() {
        sql.run("FLUSH TABLE t");
        sql.run("ALTER TABLE t DROP COLUMN v");
        sql.run("ALTER TABLE t ADD COLUMN v INT DEFAULT 5");
        sql.run("INSERT INTO t VALUES (4, 6)");
        sql.run("FLUSH TABLE t");
        sql.run("ALTER TABLE t RENAME COLUMN v TO w");
        sql.run("ALTER TABLE t ADD COLUMN v TEXT");
        sql.run("INSERT INTO t (id, w, v) VALUES (5, 7, 'new')");
        for (String step : List.of("hot", "FLUSH TABLE t", "COMPACT TABLE t")) {
            if (!step.equals("hot")) {
                sql.run(step);
            }
            assertThat(sql.ask("SELECT id, w, v FROM t ORDER BY id"))
                    .as(step)
                    .containsExactly("1 | 5 | null", "2 | 5 | null", "3 | 5 | null", "4 | 6 | null", "5 | 7 | new");
            assertThat(sql.ask("SELECT id, w, v FROM t WHERE id = 1")).containsExactly("1 | 5 | null");
            assertThat(sql.ask("SELECT sum(w) FROM t WHERE w = 5")).containsExactly("15");
        }
        assertThat(sql.ask("SELECT id, w, v FROM t AS OF VERSION 1 ORDER BY id"))
                .containsExactly("1 | 5 | null", "2 | 5 | null", "3 | 5 | null");
    }
}
