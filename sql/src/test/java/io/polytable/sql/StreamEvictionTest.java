package io.polytable.sql;

import static io.polytable.sql.ConflictTest.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.command.session.Session;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Eviction of a stream under concurrent writers: removes the oldest events down to the limit, and nothing else. */
@Timeout(180)
class StreamEvictionTest {
    private static final int EVENTS = 5000;
    private static final int BOUND = 1000;
    private static final int WRITERS = 2;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void theOldestEventsGoBesideWriters() throws Exception {
        try (TableStore store = EmbeddedStore.open(
                        directory.resolve("store"), EngineOptions.DEFAULT, FileLogOptions.defaults());
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory.resolve("sql")));
                Session session = face.session("root")) {
            session.execute("CREATE STREAM TABLE e (id BIGINT PRIMARY KEY, v INT) WITH (max_buffer = 1000000)");
            session.execute("CREATE TABLE t (id BIGINT PRIMARY KEY, v INT)");
            session.execute("INSERT INTO e SELECT x, 1 FROM range(" + EVENTS + ") r(x)");
            AtomicBoolean evicted = new AtomicBoolean();
            ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
            List<Future<Integer>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int number = i;
                writers.add(threads.submit(() -> write(face, number, evicted)));
            }
            session.execute("ALTER TABLE e SET (max_buffer = " + BOUND + ")");
            Await.until(
                    "the oldest events are gone",
                    () -> rows(session, "SELECT count(*) FROM e WHERE id < " + EVENTS / 2)
                            .equals("0"));
            evicted.set(true);
            long written = 0;
            for (Future<Integer> writer : writers) {
                int own = writer.get();
                assertThat(own).as("writes beside the eviction").isPositive();
                written += own;
            }
            threads.shutdown();
            assertThat(rows(session, "SELECT count(*) FROM t")).isEqualTo(Long.toString(written));
            // A key of an event that has gone is free again, and found by it afterwards.
            session.execute("INSERT INTO e VALUES (5, 2)");
            assertThat(rows(session, "SELECT v FROM e WHERE id = 5")).isEqualTo("2");
            assertThat(rows(session, "SELECT count(*) FROM e a WHERE NOT EXISTS (SELECT 1 FROM e b WHERE b.id = a.id)"))
                    .isEqualTo("0");
        }
    }

    /** Events with keys that were free and rows of another table, until the old events have gone. */
    private static int write(SqlFace face, int number, AtomicBoolean evicted) {
        int count = 0;
        try (Session session = face.session("root")) {
            while (!evicted.get()) {
                long id = 10_000_000L * (number + 1) + count++;
                session.execute("INSERT INTO e VALUES (?, 3)", id);
                session.execute("INSERT INTO t VALUES (?, 3)", id);
            }
        }
        return count;
    }
}
