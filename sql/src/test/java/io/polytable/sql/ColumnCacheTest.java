package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.cache.ColumnCache;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queries answer the same with a cache of columns as without; it is small here, so that a few rows are many blocks. */
@Timeout(120)
class ColumnCacheTest {
    private static final int ROWS = 1000;
    private static final String SUMS = "SELECT count(*), sum(id), sum(v), max(name) FROM t";

    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();
    private SqlFace face;
    private Session one;
    private Session two;

    @BeforeEach
    void open() {
        face = SqlFace.open(store, options(1 << 20));
        one = face.session("root");
        two = face.session("root");
        one.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT, name TEXT)");
        one.execute("INSERT INTO t SELECT i, 10, 'n' || i FROM range(0, " + ROWS + ") AS r(i)");
    }

    private SqlOptions options(long bytes) {
        return SqlOptions.in(directory).withCache(new ColumnCache.Limits(bytes, 50, 100, 60_000));
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        face.close();
        store.close();
    }

    private static String rows(Session session, String sql) {
        return ConflictTest.rows(session, sql);
    }

    /** Asks until so many blocks are from the cache. */
    private void awaitCached(String blocks) {
        String wanted = blocks + " blocks from the column cache";
        Await.until("the cache has " + blocks + " blocks", () -> {
            boolean cached = rows(one, "EXPLAIN " + SUMS).contains(wanted);
            return cached || rows(one, SUMS).isEmpty();
        });
    }

    private String sums(int more) {
        return ROWS + "|" + (ROWS * (ROWS - 1) / 2) + "|" + (ROWS * 10 + more) + "|n999";
    }

    @Test
    void aTableThatIsReadWholeAgainIsReadFromTheCache() {
        assertThat(rows(one, SUMS)).isEqualTo(sums(0));
        awaitCached("20 of 20");
        assertThat(rows(one, SUMS)).isEqualTo(sums(0));
        assertThat(rows(one, "SELECT id, name FROM t WHERE v = 10 LIMIT 3")).isEqualTo("0|n0 1|n1 2|n2");
    }

    @Test
    void aChangeIsSeenAtOnceAndReadsOnlyItsBlock() {
        awaitCached("20 of 20");
        two.execute("UPDATE t SET v = 11 WHERE id = 500");
        assertThat(rows(one, "EXPLAIN " + SUMS)).contains("19 of 20 blocks");
        assertThat(rows(one, SUMS)).isEqualTo(sums(1));
        awaitCached("20 of 20");
        two.execute("DELETE FROM t WHERE id = 500");
        two.execute("INSERT INTO t VALUES (500, 12, 'back')");
        assertThat(rows(one, SUMS)).isEqualTo(sums(2));
    }

    @Test
    void aTransactionReadsItsOwnMomentWhateverTheCacheHolds() {
        awaitCached("20 of 20");
        two.execute("BEGIN");
        assertThat(rows(two, SUMS)).isEqualTo(sums(0));
        one.execute("UPDATE t SET v = 11 WHERE id = 500");
        awaitCached("20 of 20");
        assertThat(rows(one, SUMS)).isEqualTo(sums(1));
        assertThat(rows(two, SUMS)).isEqualTo(sums(0));
        two.execute("UPDATE t SET v = 20 WHERE id = 1");
        assertThat(rows(two, SUMS)).isEqualTo(sums(10));
        two.execute("ROLLBACK");
        assertThat(rows(two, SUMS)).isEqualTo(sums(1));
    }

    @Test
    void aColumnThatComesAgainIsAnotherOne() {
        awaitCached("20 of 20");
        one.execute("ALTER TABLE t DROP COLUMN v");
        one.execute("ALTER TABLE t ADD COLUMN v INT DEFAULT 3");
        assertThat(rows(one, "SELECT sum(v) FROM t")).isEqualTo(Integer.toString(ROWS * 3));
        awaitCached("20 of 20");
        assertThat(rows(one, "SELECT sum(v) FROM t")).isEqualTo(Integer.toString(ROWS * 3));
    }

    @Test
    void deletedRowsAndHiddenColumnsAreReadFromTheTable() {
        one.execute("DELETE FROM t WHERE id = 7");
        awaitCached("20 of 20");
        assertThat(rows(one, "SELECT count(*) FROM t")).isEqualTo("999");
        assertThat(rows(one, "SELECT count(*) FROM t WHERE _deleted OR NOT _deleted"))
                .isEqualTo("1000");
        assertThat(rows(one, "SELECT count(*) FROM t WHERE _updated IS NOT NULL"))
                .isEqualTo("999");
    }

    @Test
    void blocksThatGrowAreCut() {
        awaitCached("20 of 20");
        one.execute("INSERT INTO t SELECT i, 10, 'n' || i FROM range(1000, 1400) AS r(i)");
        awaitCached("28 of 28");
        assertThat(rows(one, "SELECT count(*), sum(id) FROM t")).isEqualTo("1400|979300");
    }

    @Test
    void aTableThatIsTooLargeStaysOut() {
        try (SqlFace small = SqlFace.open(store, options(20_000));
                Session session = small.session("root")) {
            for (int i = 0; i < 20; i++) {
                assertThat(rows(session, SUMS)).isEqualTo(sums(0));
            }
            // One thread fills the cache: once a table that is read later is in it, the attempts with the large one are
            // over.
            session.execute("CREATE TABLE small (id INT PRIMARY KEY)");
            session.execute("INSERT INTO small SELECT i FROM range(0, 200) AS r(i)");
            Await.until("the small table is cached", () -> {
                assertThat(rows(session, "SELECT count(*), sum(id) FROM small")).isEqualTo("200|19900");
                return rows(session, "EXPLAIN SELECT sum(id) FROM small").contains("cache");
            });
            assertThat(rows(session, "EXPLAIN " + SUMS)).doesNotContain("cache");
        }
    }

    @Test
    void aTableThatGrowsTooLargeLeaves() {
        awaitCached("20 of 20");
        two.execute("UPDATE t SET name = repeat('x', 10000)");
        Await.until("the table left the cache", () -> {
            assertThat(rows(one, "SELECT count(*), sum(length(name)) FROM t")).isEqualTo("1000|10000000");
            return !rows(one, "EXPLAIN " + SUMS).contains("cache");
        });
    }

    /** An overflow is an error unless something infinite went in, which depends on the columns that are read. */
    @Test
    void valuesThatMayBeInfiniteKeepATableOut() {
        one.execute("CREATE TABLE big (id INT PRIMARY KEY, a DOUBLE PRECISION, note TEXT)");
        one.execute("INSERT INTO big SELECT i, 1e308, CASE i WHEN 77 THEN 'inf' END FROM range(0, 1000) AS r(i)");
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> rows(one, "SELECT max(a * 10) FROM big"))
                    .isInstanceOfSatisfying(
                            SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.OUT_OF_RANGE));
        }
        // One thread fills the cache: it is done with the table above once a later one is in it.
        awaitCached("20 of 20");
        assertThat(rows(one, "EXPLAIN SELECT max(a) FROM big")).doesNotContain("cache");
    }

    @Test
    void whatDependsOnTheOrderOfRowsIsReadInIt() throws InterruptedException {
        String sql = "SELECT v, string_agg(name, ',') FROM t GROUP BY v";
        String before = rows(one, sql);
        awaitCached("20 of 20");
        assertThat(rows(one, sql)).isEqualTo(before);
    }

    @Test
    void aWindowThatMovesOnLeavesNoBlocksBehind() {
        awaitCached("20 of 20");
        for (int from = 0; from < 8_000; from += 400) {
            moveWindow(from);
        }
        // The cache drops old blocks when it loads new ones, which it does when it has the time.
        AtomicInteger from = new AtomicInteger(8_000);
        Await.until("old blocks are gone", () -> {
            moveWindow(from.getAndAdd(400));
            // A table whose tombstones are too many for the cache has left it.
            Matcher blocks = Pattern.compile("of (\\d+) blocks").matcher(rows(one, "EXPLAIN " + SUMS));
            return !blocks.find() || Integer.parseInt(blocks.group(1)) < 60;
        });
    }

    private void moveWindow(int from) {
        two.execute("INSERT INTO t SELECT i, 10, 'n' FROM range(" + (from + ROWS) + ", " + (from + ROWS + 400)
                + ") AS r(i)");
        two.execute("DELETE FROM t WHERE id < " + (from + 400));
        for (int i = 0; i < 3; i++) {
            assertThat(rows(one, "SELECT count(*) FROM t")).isEqualTo("1000");
        }
    }

    @Test
    void anOldTransactionDoesNotDriveTheCacheOut() {
        two.execute("BEGIN");
        assertThat(rows(two, SUMS)).isEqualTo(sums(0));
        one.execute("UPDATE t SET v = v + 1");
        awaitCached("20 of 20");
        for (int i = 0; i < 40; i++) {
            assertThat(rows(two, SUMS)).isEqualTo(sums(0));
        }
        assertThat(rows(one, "EXPLAIN " + SUMS)).contains("20 of 20");
        two.execute("ROLLBACK");
    }

    @Test
    void aDroppedTableIsNotRememberedUnderItsName() {
        awaitCached("20 of 20");
        one.execute("DROP TABLE t");
        one.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT, name TEXT)");
        one.execute("INSERT INTO t VALUES (1, 2, 'x')");
        assertThat(rows(one, SUMS)).isEqualTo("1|1|2|x");
    }

    @Test
    void aHistoryOfWritesIsAnsweredAsByAMap() {
        Random dice = new Random(7);
        TreeMap<Integer, Integer> oracle = new TreeMap<>();
        for (int i = 0; i < ROWS; i++) {
            oracle.put(i, 10);
        }
        for (int step = 0; step < 150; step++) {
            int id = dice.nextInt(ROWS * 2);
            int value = dice.nextInt(100);
            switch (dice.nextInt(4)) {
                case 0 -> {
                    two.execute("DELETE FROM t WHERE id BETWEEN " + id + " AND " + (id + 3));
                    oracle.subMap(id, id + 4).clear();
                }
                case 1 -> {
                    two.execute("UPDATE t SET v = " + value + " WHERE id = " + id);
                    oracle.computeIfPresent(id, (key, old) -> value);
                }
                default -> {
                    two.execute("INSERT INTO t VALUES (" + id + ", " + value
                            + ", 'n') ON CONFLICT (id) DO UPDATE SET v = excluded.v");
                    oracle.put(id, value);
                }
            }
            long ids = oracle.keySet().stream().mapToLong(each -> each).sum();
            long values = oracle.values().stream().mapToLong(each -> each).sum();
            assertThat(rows(one, "SELECT count(*), sum(id), sum(v) FROM t"))
                    .as("step %d", step)
                    .isEqualTo(oracle.size() + "|" + ids + "|" + values);
        }
    }

    /** Two rows change together, mostly in different blocks, so half of a change would show in the sum. */
    @Test
    void whatMovesBetweenRowsIsNeverLostOrDoubled() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Thread mover = new Thread(() -> {
            Random dice = new Random(3);
            while (!stop.get()) {
                int from = dice.nextInt(ROWS);
                int to = (from + 1 + dice.nextInt(ROWS - 1)) % ROWS;
                two.execute("UPDATE t SET v = v + CASE id WHEN " + from + " THEN -1 ELSE 1 END WHERE id IN (" + from
                        + ", " + to + ")");
            }
        });
        mover.start();
        try {
            for (int i = 0; i < 100; i++) {
                assertThat(rows(one, SUMS)).isEqualTo(sums(0));
            }
        } finally {
            stop.set(true);
            mover.join();
        }
    }
}
