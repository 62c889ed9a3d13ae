package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing waits for an object storage while it holds a lock that writers need. */
@Timeout(60)
class SlowStorageTest {
    private static final Duration BLOCKED = Duration.ofSeconds(1);
    private static final int KEYS = 100;

    @TempDir
    private Path directory = Path.of("");

    private final Set<String> held = Collections.newSetFromMap(new ConcurrentHashMap<>());

    private final MemoryStore store = new MemoryStore();
    private MemoryS3 bucket = new MemoryS3();
    private TierFixture sql = new TierFixture(store, Path.of(System.getProperty("java.io.tmpdir")));

    SlowStorageTest() throws IOException {}

    @BeforeEach
    void open() {
        sql.close();
        sql = new TierFixture(store, directory);
        sql.run(bucket.definition("cloud"));
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT) WITH (storage_id = 'cloud')");
        sql.run("INSERT INTO t SELECT i, 'v' || i FROM range(" + KEYS + ") AS r(i)");
    }

    @AfterEach
    void close() {
        sql.close();
        bucket.close();
        store.close();
    }

    /** From now on each download looks for locks. */
    private void watch() {
        bucket.transit = bytes -> {
            look(store, sql);
            return bytes;
        };
    }

    private void assertDownloadsWithoutLocks(Runnable action) {
        watch();
        int before = bucket.downloads.get();
        action.run();
        assertThat(bucket.downloads.get()).as("a file was fetched").isGreaterThan(before);
        assertThat(held).isEmpty();
    }

    @Test
    void aFlushOfTombstonesDownloadsWithoutLocks() {
        sql.run("FLUSH TABLE t");
        sql.run("DELETE FROM t WHERE id < " + KEYS / 2);
        assertDownloadsWithoutLocks(() -> sql.run("FLUSH TABLE t"));
        assertThat(sql.ask("SELECT count(*) FROM t")).containsExactly(Integer.toString(KEYS / 2));
    }

    /** The rows that the transaction read were flushed since, unchanged or not. */
    @ParameterizedTest
    @CsvSource({"false, READ COMMITTED", "true, READ COMMITTED", "false, SERIALIZABLE"})
    void aCommitComparesWithFlushedRowsWithoutLocks(boolean changed, String level) {
        sql.run("BEGIN ISOLATION LEVEL " + level);
        sql.run("UPDATE t SET v = 'mine' WHERE id = 7");
        try (Session other = sql.face.session("root")) {
            if (changed) {
                TierFixture.run(other, "UPDATE t SET v = 'theirs' WHERE id = 7");
            }
            TierFixture.run(other, "FLUSH TABLE t");
        }
        assertDownloadsWithoutLocks(() -> {
            if (changed) {
                assertThatThrownBy(() -> sql.run("COMMIT"))
                        .isInstanceOfSatisfying(
                                SqlError.class,
                                error -> assertThat(error.code()).isEqualTo(SqlCode.SERIALIZATION_FAILURE));
            } else {
                sql.run("COMMIT");
            }
        });
        assertThat(sql.ask("SELECT v FROM t WHERE id = 7")).containsExactly(changed ? "theirs" : "mine");
    }

    @Test
    void aCommitWithDefinitionsComparesWithFlushedRowsWithoutLocks() {
        sql.run("BEGIN");
        sql.run("UPDATE t SET v = 'mine' WHERE id = 7");
        try (Session other = sql.face.session("root")) {
            TierFixture.run(other, "FLUSH TABLE t");
        }
        sql.run("CREATE TABLE u (id INT PRIMARY KEY)");
        assertDownloadsWithoutLocks(() -> sql.run("COMMIT"));
        assertThat(sql.ask("SELECT v FROM t WHERE id = 7")).containsExactly("mine");
    }

    /** Row 3 is deleted and row 4 changed after they were flushed. */
    @ParameterizedTest
    @ValueSource(strings = {"CREATE INDEX n ON t (v)", "CREATE UNIQUE INDEX n ON t (v)"})
    void anIndexIsFilledFromFilesWithoutLocks(String statement) {
        sql.run("FLUSH TABLE t");
        sql.run("DELETE FROM t WHERE id = 3");
        sql.run("UPDATE t SET v = 'v3' WHERE id = 4");
        bucket.transit = bytes -> bytes;
        sql.close();
        sql = new TierFixture(store, directory);
        assertDownloadsWithoutLocks(() -> sql.run(statement));
        assertThat(sql.ask("EXPLAIN SELECT id FROM t WHERE v = 'v3'").toString())
                .contains("index");
        assertThat(sql.ask("SELECT id FROM t WHERE v = 'v3'")).containsExactly("4");
        assertThat(sql.ask("SELECT id FROM t WHERE v = 'v4'")).isEmpty();
        assertThat(sql.ask("SELECT id FROM t WHERE v = 'v5'")).containsExactly("5");
    }

    @Test
    void aDuplicateAmongFlushedRowsIsFoundWithoutLocks() {
        sql.run("UPDATE t SET v = 'v3' WHERE id = 4");
        sql.run("FLUSH TABLE t");
        assertDownloadsWithoutLocks(() -> assertThatThrownBy(() -> sql.run("CREATE UNIQUE INDEX n ON t (v)"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.UNIQUE_VIOLATION)));
    }

    @ParameterizedTest
    @CsvSource({
        "ALTER TABLE t ALTER COLUMN v SET NOT NULL, true",
        "ALTER TABLE t ALTER COLUMN v SET NOT NULL, false",
        "ALTER TABLE t ADD COLUMN w INT NOT NULL, false"
    })
    void anAlterationLooksForNullsInFilesWithoutLocks(String statement, boolean succeeds) {
        if (!succeeds) {
            sql.run("UPDATE t SET v = NULL WHERE id = 9");
        }
        sql.run("FLUSH TABLE t");
        assertDownloadsWithoutLocks(() -> {
            if (succeeds) {
                sql.run(statement);
            } else {
                assertThatThrownBy(() -> sql.run(statement))
                        .isInstanceOfSatisfying(
                                SqlError.class,
                                error -> assertThat(error.code()).isEqualTo(SqlCode.NOT_NULL_VIOLATION));
            }
        });
    }

    /** Without a cache, each opening of a file is a download. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET v = v || 'x'",
                "UPDATE t SET v = lpad(v, 9, md5(v))",
                "UPDATE t SET v = f.v FROM (SELECT i, 'f' AS v FROM range(" + KEYS + ") AS r(i)) AS f WHERE f.i = t.id",
                "DELETE FROM t WHERE length(v) > 1"
            })
    void aStatementReadsAFileOnceForAllItsRows(String statement) {
        sql.run("FLUSH TABLE t");
        sql.close();
        SqlOptions options = SqlOptions.in(directory);
        sql = new TierFixture(store, options.withColdBytes(0), InstantSource.system());
        int before = bucket.downloads.get();
        assertThat(sql.run(statement)).isEqualTo(KEYS);
        assertThat(bucket.downloads.get() - before).isBetween(1, 3);
        assertThat(sql.ask("SELECT count(*) FROM t WHERE v = 'v' || id")).containsExactly("0");
    }

    /** On the thread of the storage, while the flush waits for its answer. */
    private void look(MemoryStore store, TierFixture sql) {
        if (store.stripes().tryLockEverything(BLOCKED, () -> false)) {
            store.stripes().unlockEverything();
        } else {
            held.add("stripes");
        }
        Lock defining = sql.face.engine().catalog().defining();
        if (defining.tryLock()) {
            defining.unlock();
        } else {
            held.add("catalog");
        }
    }
}
