package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Concurrent writers of disjoint keys while the table is flushed, compacted and altered: no row is lost or duplicated.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class BesideWritersTest {
    private static final int WRITERS = 3;

    /** More rows than a flush deletes one by one. */
    private static final int KEYS_OF_EACH = 2500;

    private static final int STEPS = 200;

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({"1, false", "2, true"})
    void noRowIsLostOrDoubled(long seed, boolean altered) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (TableStore store = EmbeddedStore.open(
                        directory.resolve("store"), EngineOptions.DEFAULT, FileLogOptions.defaults());
                TierFixture sql = new TierFixture(store, directory.resolve("sql"))) {
            sql.run("SET statement_timeout = '100s'");
            sql.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
            sql.run("INSERT INTO t SELECT i, 0 FROM range(0, " + WRITERS * KEYS_OF_EACH + ") AS r(i)");
            List<Future<Map<Integer, Integer>>> writing = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                Callable<Map<Integer, Integer>> work = () -> write(sql, number, new Random(seed * 100 + number));
                writing.add(threads.submit(work));
            }
            int rounds = 0;
            while (writing.stream().anyMatch(each -> !each.isDone())) {
                sql.run("FLUSH TABLE t");
                if (++rounds % 2 == 0) {
                    sql.run("COMPACT TABLE t");
                }
                if (altered && rounds % 3 == 0) {
                    sql.run("ALTER TABLE t ADD COLUMN c" + rounds + " TEXT DEFAULT 'd'");
                }
            }
            List<String> expected = new ArrayList<>();
            for (Future<Map<Integer, Integer>> each : writing) {
                each.get().forEach((id, value) -> expected.add(id + " | " + value));
            }
            assertHolds(sql, expected, seed);
            sql.run("FLUSH TABLE t");
            sql.run("COMPACT TABLE t");
            assertHolds(sql, expected, seed);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertHolds(TierFixture sql, List<String> expected, long seed) {
        assertThat(sql.ask("SELECT id, v FROM t ORDER BY id"))
                .as("seed %d", seed)
                .isEqualTo(expected);
        assertThat(sql.ask("SELECT id, max(v) FROM t GROUP BY id HAVING count(*) = 1 ORDER BY id"))
                .as("seed %d", seed)
                .isEqualTo(expected);
    }

    /** Returns the final values of the keys of the writer. */
    private static Map<Integer, Integer> write(TierFixture sql, int writer, Random random) {
        int from = writer * KEYS_OF_EACH;
        Map<Integer, Integer> model = new TreeMap<>();
        for (int id = from; id < from + KEYS_OF_EACH; id++) {
            model.put(id, 0);
        }
        try (Session session = sql.face.session("root")) {
            for (int step = 1; step <= STEPS; step++) {
                int id = from + random.nextInt(KEYS_OF_EACH);
                int value = step;
                if (!model.containsKey(id)) {
                    run(session, "INSERT INTO t (id, v) VALUES (" + id + ", " + value + ")");
                    model.put(id, value);
                } else if (random.nextInt(3) == 0) {
                    run(session, "DELETE FROM t WHERE id = " + id);
                    model.remove(id);
                } else {
                    run(session, "UPDATE t SET v = " + value + " WHERE id = " + id);
                    model.put(id, value);
                }
            }
        }
        return model;
    }

    /** An ALTER between its planning and its commit makes a statement begin again. */
    private static void run(Session session, String statement) {
        while (true) {
            try {
                assertThat(TierFixture.run(session, statement)).as(statement).isEqualTo(1);
                return;
            } catch (SqlError refused) {
                if (refused.code() != SqlCode.SERIALIZATION_FAILURE) {
                    throw refused;
                }
            }
        }
    }
}
