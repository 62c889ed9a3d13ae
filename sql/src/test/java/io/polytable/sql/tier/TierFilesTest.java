package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files on the storage: those that are read stay, those no longer needed are deleted, foreign ones are not touched.
 */
class TierFilesTest {
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
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
        sql.run("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
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

    private List<String> files() throws IOException {
        return files(directory.resolve("sql/tables"));
    }

    private static List<String> files(Path below) throws IOException {
        if (!Files.isDirectory(below)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> below.relativize(file).toString().replaceAll("\\d{19}", "N"))
                    .sorted()
                    .toList();
        }
    }

    private void awaitRow(String query) {
        Await.until(query + " finds a row", () -> !sql.ask(query).isEmpty());
    }

    private void awaitNoJobs() {
        Await.until(
                "all jobs ended",
                () -> sql.ask("SELECT 1 FROM system.jobs WHERE finished_at IS NULL")
                        .isEmpty());
    }

    @Test
    void aTimeLimitOfAThousandYearsIsNoOverflow() {
        sql.run("SET statement_timeout = '9999999h'");
        assertThat(sql.run("FLUSH ALL")).isEqualTo(3);
        sql.run("SET statement_timeout = '30s'");
    }

    @Test
    void retentionWaitsForAQueryThatReadsTheFiles() throws IOException {
        sql.run("FLUSH TABLE t");
        sql.run("UPDATE t SET v = 'x'");
        sql.run("FLUSH TABLE t");
        try (Session other = sql.face.session("root")) {
            QueryRows past = ((Outcome.Rows) other.execute("SELECT id, v FROM t AS OF VERSION 1 ORDER BY id")).rows();
            sql.run("COMPACT TABLE t");
            clock.advance(Duration.ofHours(25));
            sql.run("STORAGE EXPIRE TABLE t");
            // The file that is read is in the first two versions: both stay.
            assertThat(files().stream()
                            .filter(file -> file.endsWith(".parquet"))
                            .count())
                    .isEqualTo(3);
            past.close();
            sql.run("STORAGE EXPIRE TABLE t");
            assertThat(files().stream()
                            .filter(file -> file.endsWith(".parquet"))
                            .count())
                    .isEqualTo(1);
        }
        assertThat(sql.ask("SELECT version FROM system.manifest_versions")).containsExactly("3");
    }

    /** After it files of the storage are read in another way, which must not hide those that are read already. */
    @Test
    void retentionWaitsForAQueryAlsoWhenItsStorageWasAltered() throws IOException {
        sql.run("CREATE STORAGE other TYPE filesystem WITH (path = '" + directory.resolve("other") + "')");
        sql.run("CREATE TABLE u (id INT PRIMARY KEY, v TEXT) WITH (storage_id = 'other')");
        sql.close();
        reopen();
        sql.run("INSERT INTO u VALUES (1, 'a'), (2, 'b')");
        sql.run("FLUSH TABLE u");
        sql.run("UPDATE u SET v = 'x'");
        sql.run("FLUSH TABLE u");
        try (Session other = sql.face.session("root");
                QueryRows past =
                        ((Outcome.Rows) other.execute("SELECT id, v FROM u AS OF VERSION 1 ORDER BY id")).rows()) {
            sql.run("ALTER STORAGE other SET (path = '" + directory.resolve("other") + "')");
            sql.run("COMPACT TABLE u");
            clock.advance(Duration.ofHours(25));
            sql.run("STORAGE EXPIRE TABLE u");
            assertThat(files(directory.resolve("other")).stream()
                            .filter(file -> file.endsWith(".parquet"))
                            .count())
                    .isEqualTo(3);
            assertThat(past.next()).isTrue();
        }
    }

    @Test
    void aDroppedTableKeepsItsFilesWhileAQueryReadsThem() throws IOException {
        sql.run("FLUSH TABLE t");
        try (Session other = sql.face.session("root")) {
            QueryRows past = ((Outcome.Rows) other.execute("SELECT id, v FROM t AS OF VERSION 1 ORDER BY id")).rows();
            sql.run("DROP TABLE t");
            awaitRow("SELECT 1 FROM system.jobs WHERE job_type = 'cleanup' AND message LIKE '%still reads%'");
            assertThat(files()).contains("default/shared/t/batch-N.parquet");
            sql.run("CREATE TABLE t (id INT PRIMARY KEY)");
            sql.run("INSERT INTO t VALUES (7)");
            past.close();
        }
        sql.run("FLUSH TABLE t");
        awaitNoJobs();
        assertThat(sql.ask("SELECT * FROM t"))
                .as("of the same name, with files of its own")
                .containsExactly("7");
        assertThat(files().stream().filter(file -> file.endsWith(".parquet")).count())
                .isEqualTo(1);
        assertThat(files()).noneMatch(file -> file.startsWith("default/shared/t/"));
    }

    /** The retention counts from the TRUNCATE, not from when the files were written. */
    @Test
    void oldFilesOfAnEmptiedTableStayForTheirRetention() throws IOException {
        sql.run("CREATE USER TABLE mine (id INT PRIMARY KEY)");
        sql.run("INSERT INTO mine VALUES (1)");
        sql.run("FLUSH TABLE mine");
        sql.run("FLUSH TABLE t");
        clock.advance(Duration.ofDays(2));
        sql.run("TRUNCATE TABLE t");
        sql.run("TRUNCATE TABLE mine");
        sql.run("STORAGE EXPIRE TABLE t");
        sql.run("STORAGE EXPIRE TABLE mine");
        assertThat(sql.ask("SELECT count(*) FROM t")).containsExactly("0");
        assertThat(sql.ask("SELECT count(*) FROM t AS OF VERSION 1")).containsExactly("3");
        assertThat(sql.ask("SELECT count(*) FROM t AS OF VERSION 2")).containsExactly("0");
        assertThat(sql.ask("SELECT id FROM mine AS OF VERSION 1")).containsExactly("1");
        clock.advance(Duration.ofHours(25));
        sql.run("STORAGE EXPIRE TABLE t");
        sql.run("STORAGE EXPIRE TABLE mine");
        assertThat(files().stream().filter(file -> file.endsWith(".parquet"))).isEmpty();
    }

    /** One of two files is being read: the other must not be deleted before it. */
    @Test
    void noFileOfADroppedTableGoesWhileOneIsRead() throws IOException {
        sql.run("FLUSH TABLE t");
        sql.run("INSERT INTO t VALUES (100, 'later')");
        sql.run("FLUSH TABLE t");
        try (Session other = sql.face.session("root")) {
            QueryRows past = ((Outcome.Rows) other.execute("SELECT id FROM t AS OF VERSION 2 WHERE id > 50")).rows();
            sql.run("DROP TABLE t");
            awaitRow("SELECT 1 FROM system.jobs WHERE job_type = 'cleanup' AND message LIKE '%still reads%'");
            assertThat(files().stream().filter(file -> file.endsWith(".parquet")))
                    .hasSize(2);
            past.close();
        }
        awaitNoJobs();
        assertThat(files().stream().filter(file -> file.endsWith(".parquet"))).isEmpty();
    }

    @Test
    void anEmptiedTableHasNoManifestForOutsideReaders() throws IOException {
        sql.run("FLUSH TABLE t");
        assertThat(files()).contains("default/shared/t/manifest.json");
        sql.run("TRUNCATE TABLE t");
        awaitRow("SELECT 1 FROM system.jobs WHERE job_type = 'retention' AND status = 'completed'");
        assertThat(files())
                .doesNotContain("default/shared/t/manifest.json")
                .contains("default/shared/t/batch-N.parquet");
        sql.run("INSERT INTO t VALUES (1, 'new')");
        sql.run("FLUSH TABLE t");
        clock.advance(Duration.ofHours(25));
        sql.run("STORAGE EXPIRE TABLE t");
        assertThat(files().stream().filter(file -> file.startsWith("default/shared/t/")))
                .containsExactly(
                        "default/shared/t/batch-N.parquet",
                        "default/shared/t/manifest.json",
                        "default/shared/t/schema_v1.json");
        assertThat(sql.ask("SELECT * FROM t")).containsExactly("1 | new");
    }

    @Test
    void aTableThatMovedIsRemovedFromEveryStorage() throws IOException {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        sql.run("CREATE STORAGE first WITH (path = '" + first + "')");
        sql.run("CREATE STORAGE second WITH (path = '" + second + "')");
        sql.run("CREATE USER TABLE m (id INT PRIMARY KEY, v INT) WITH (storage_id = 'first')");
        sql.run("INSERT INTO m VALUES (1, 1), (2, 2)");
        sql.run("FLUSH TABLE m");
        sql.run("ALTER TABLE m SET (storage_id = 'second')");
        sql.run("INSERT INTO m VALUES (3, 3)");
        sql.run("FLUSH TABLE m");
        assertThat(sql.ask("SELECT sum(v) FROM m")).containsExactly("6");
        assertThat(files(first)).hasSize(3);
        assertThat(files(second)).hasSize(3);
        assertThat(sql.ask(
                        "SELECT storage_id, usage_count FROM system.storages WHERE storage_id <> 'local' ORDER BY 1"))
                .containsExactly("first | 0", "second | 1");
        for (String used : List.of(
                "DROP STORAGE first",
                "DROP STORAGE second",
                "ALTER STORAGE first SET (path = '/elsewhere')",
                "ALTER STORAGE second SET (user_tables_template = 'x/{namespace}/{tableName}/{userId}')")) {
            assertThatThrownBy(() -> sql.run(used))
                    .as(used)
                    .isInstanceOf(SqlError.class)
                    .hasMessageContaining("in use");
        }
        sql.run("DROP TABLE m");
        awaitNoJobs();
        assertThat(files(first)).isEmpty();
        assertThat(files(second)).isEmpty();
        sql.run("DROP STORAGE first");
        sql.run("DROP STORAGE second");
    }

    @Test
    void whatAKilledFlushLeftIsRemovedByTheNextJob() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        sql.run("CREATE USER TABLE u (id INT PRIMARY KEY)");
        for (String name : List.of("a", "b")) {
            try (Session user = sql.face.session(name)) {
                TierFixture.run(user, "INSERT INTO u SELECT i FROM range(1500) AS r(i)");
            }
        }
        listener = step -> {
            if (step == Step.FILE_PUBLISHED) {
                reached.countDown();
                awaited(go);
            }
        };
        sql.run("SET statement_timeout = '10ms'");
        assertThatThrownBy(() -> sql.run("FLUSH TABLE u")).isInstanceOf(SqlError.class);
        sql.run("SET statement_timeout = '30s'");
        reached.await();
        listener = step -> {};
        sql.run("KILL JOB '"
                + sql.ask("SELECT job_id FROM system.jobs WHERE status = 'running'")
                        .get(0) + "'");
        go.countDown();
        awaitNoJobs();
        assertThat(sql.ask("SELECT status FROM system.jobs WHERE job_type = 'flush'"))
                .containsExactly("cancelled");
        assertThat(files()).as("one user's file was published").anyMatch(file -> file.startsWith("default/u/a/batch"));
        sql.close();
        reopen();
        sql.run("STORAGE EXPIRE TABLE u");
        assertThat(files()).noneMatch(file -> file.startsWith("default/u/a/") || file.endsWith(".tmp"));
        assertThat(sql.run("FLUSH TABLE u")).isEqualTo(3000);
    }

    @Test
    void aTableWhoseFirstFlushWasKilledLeavesNothingWhenItIsDropped() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        sql.run("CREATE USER TABLE u (id INT PRIMARY KEY)");
        for (String name : List.of("a", "b")) {
            try (Session user = sql.face.session(name)) {
                TierFixture.run(user, "INSERT INTO u SELECT i FROM range(1500) AS r(i)");
            }
        }
        listener = step -> {
            if (step == Step.FILE_PUBLISHED) {
                reached.countDown();
                awaited(go);
            }
        };
        sql.run("SET statement_timeout = '10ms'");
        assertThatThrownBy(() -> sql.run("FLUSH TABLE u")).isInstanceOf(SqlError.class);
        sql.run("SET statement_timeout = '30s'");
        reached.await();
        listener = step -> {};
        sql.run("KILL JOB '"
                + sql.ask("SELECT job_id FROM system.jobs WHERE status = 'running'")
                        .get(0) + "'");
        go.countDown();
        awaitNoJobs();
        sql.run("DROP TABLE u");
        awaitNoJobs();
        assertThat(files()).noneMatch(file -> file.startsWith("default/u/"));
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aTableInTheNamespaceExportsIsNotAmongExports() throws IOException {
        sql.run("CREATE NAMESPACE exports");
        sql.run("CREATE TABLE exports.t (id INT PRIMARY KEY)");
        sql.run("INSERT INTO exports.t VALUES (1)");
        sql.run("FLUSH TABLE exports.t");
        sql.run("EXPORT TABLE t TO PARQUET 'shared/t/t.parquet'");
        assertThat(files()).contains("exports/shared/t/t.parquet", "exports~/shared/t/batch-N.parquet");
        sql.run("DROP TABLE exports.t");
        awaitNoJobs();
        assertThat(files()).contains("exports/shared/t/t.parquet").noneMatch(file -> file.startsWith("exports~"));
    }

    @Test
    void anExportThatIsKilledOrImportedLeavesNoTemporaryFile() throws IOException {
        Path later = directory.resolve("later");
        sql.run("CREATE STORAGE later WITH (path = '" + later + "')");
        sql.run("EXPORT TABLE t TO PARQUET 'storage://later/t.parquet'");
        sql.run("CREATE TABLE copy (id INT PRIMARY KEY, v TEXT)");
        assertThat(sql.run("IMPORT INTO copy FROM PARQUET 'storage://later/t.parquet'"))
                .isEqualTo(3);
        assertThat(files(directory.resolve("sql/cold")))
                .as("the copy that was read is gone")
                .isEmpty();
        assertThat(files(later)).containsExactly("exports/t.parquet");
        assertThatThrownBy(() -> sql.run("IMPORT INTO copy FROM PARQUET 'storage://later/none.parquet'"))
                .isInstanceOf(SqlError.class);
        assertThat(files(directory.resolve("sql/cold"))).isEmpty();
    }

    @Test
    void aDamagedFileIsAnErrorAndNothingIsLost() throws IOException {
        sql.run("FLUSH TABLE t");
        Path file = directory.resolve("sql/tables/default/shared/t");
        try (Stream<Path> all = Files.list(file)) {
            file = all.filter(each -> each.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length / 2));
        sql.run("INSERT INTO t VALUES (4, 'hot')");
        for (String query :
                List.of("SELECT count(*) FROM t", "SELECT v FROM t WHERE id = 2", "SELECT * FROM t ORDER BY id")) {
            assertThatThrownBy(() -> sql.ask(query)).as(query).isInstanceOf(SqlError.class);
        }
        assertThat(sql.ask("SELECT v FROM t WHERE id = 4")).containsExactly("hot");
        Files.write(file, whole);
        assertThat(sql.ask("SELECT count(*), max(v) FROM t")).containsExactly("4 | hot");
        assertThat(sql.ask("SELECT v FROM t WHERE id = 2")).containsExactly("b");
        Files.delete(file);
        assertThatThrownBy(() -> sql.ask("SELECT count(*) FROM t")).isInstanceOf(SqlError.class);
        Files.write(file, whole);
        assertThat(sql.run("FLUSH TABLE t")).isEqualTo(1);
        assertThat(sql.ask("SELECT count(*), max(v) FROM t")).containsExactly("4 | hot");
    }

    /** Every byte of the pages: some are noticed only when the rows of a page are decoded. */
    @Test
    void aDamagedPageIsAFailureOfTheStorage() throws IOException {
        sql.run("INSERT INTO t SELECT i, 'value ' || i % 7 FROM generate_series(10, 500) AS g(i)");
        sql.run("FLUSH TABLE t");
        Path file = directory.resolve("sql/tables/default/shared/t");
        try (Stream<Path> all = Files.list(file)) {
            file = all.filter(each -> each.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] whole = Files.readAllBytes(file);
        int failures = 0;
        for (int at = 4; at < whole.length / 2; at += 3) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x55;
            Files.write(file, damaged);
            try {
                sql.run("UPDATE t SET v = 'x' WHERE id > 1 AND v = 'no such value'");
            } catch (RuntimeException failure) {
                assertThat(failure).as("byte %d", at).isInstanceOfAny(SqlError.class, StorageFailure.class);
                failures++;
            }
        }
        assertThat(failures).isPositive();
        Files.write(file, whole);
        assertThat(sql.ask("SELECT count(*) FROM t")).containsExactly("494");
    }
}
