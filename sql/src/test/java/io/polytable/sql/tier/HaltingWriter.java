package io.polytable.sql.tier;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A process that writes, flushes, compacts, expires and drops, and halts after a given step. */
final class HaltingWriter {
    static final int USERS = 3;
    static final int ROWS = 700;
    private static final int HALTED = 137;

    private HaltingWriter() {}

    static TableStore open(Path directory) {
        return EmbeddedStore.open(directory.resolve("store"), EngineOptions.DEFAULT, FileLogOptions.defaults());
    }

    static long run(Session session, String sql) {
        Outcome outcome = session.execute(sql);
        if (outcome instanceof Outcome.Rows rows) {
            rows.rows().close();
            return 0;
        }
        return ((Outcome.Done) outcome).rows();
    }

    /** Arguments: the directory, a step, and at which occurrence of it the process halts. */
    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        Step last = Step.valueOf(arguments[1]);
        AtomicInteger left = new AtomicInteger(Integer.parseInt(arguments[2]));
        Step.Listener listener = step -> {
            if (step == last && left.decrementAndGet() == 0) {
                Runtime.getRuntime().halt(HALTED);
            }
        };
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        try (TableStore store = open(directory);
                SqlFace face = SqlFace.open(
                        store,
                        SqlOptions.in(directory.resolve("sql")).withSteps(listener),
                        List::of,
                        () -> Instant.now().plus(ahead.get()))) {
            Session root = face.session("root");
            run(root, "CREATE TABLE shared (id INT PRIMARY KEY, v INT)");
            run(root, "CREATE USER TABLE basket (id INT PRIMARY KEY, v INT)");
            run(root, "CREATE USER TABLE gone (id INT PRIMARY KEY, v INT)");
            insert(root, "shared", 0, ROWS);
            for (int user = 0; user < USERS; user++) {
                insert(face.session("user" + user), "gone", user, 2);
            }
            for (int user = 0; user < USERS; user++) {
                insert(face.session("user" + user), "basket", user, ROWS / USERS);
            }
            for (int round = 0; round < 3; round++) {
                for (String table : List.of("shared", "basket", "gone")) {
                    run(root, "FLUSH TABLE " + table);
                }
                run(root, "UPDATE shared SET v = v + 1 WHERE id % 3 = " + round);
                run(root, "DELETE FROM shared WHERE id % 10 = " + round);
            }
            run(root, "FLUSH TABLE shared");
            run(root, "COMPACT TABLE shared");
            ahead.set(Duration.ofHours(25));
            run(root, "STORAGE EXPIRE TABLE shared");
            run(root, "DROP TABLE gone");
            // Waits until the files of the dropped table are deleted.
            run(root, "FLUSH TABLE shared");
        }
    }

    private static void insert(Session session, String table, int v, int rows) {
        StringBuilder sql = new StringBuilder("INSERT INTO " + table + " VALUES ");
        for (int id = 0; id < rows; id++) {
            sql.append(id == 0 ? "" : ", ")
                    .append('(')
                    .append(id)
                    .append(", ")
                    .append(v)
                    .append(')');
        }
        run(session, sql.toString());
    }
}
