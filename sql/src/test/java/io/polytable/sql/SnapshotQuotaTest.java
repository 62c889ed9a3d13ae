package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.model.transaction.SnapshotQuota;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Limits;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.feed.ChangeFeed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions hold snapshots only while they need them, and never those that background work needs. */
class SnapshotQuotaTest {
    private static final int IDLE_SESSIONS = 2000;

    @TempDir
    Path directory;

    private final List<Session> sessions = new ArrayList<>();
    private TableStore store;
    private SqlFace face;
    private Session own;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(directory.resolve("store"), EngineOptions.DEFAULT, FileLogOptions.defaults());
        face = SqlFace.open(store, SqlOptions.in(directory.resolve("sql")));
        own = face.session("root");
        own.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
        own.execute("INSERT INTO t VALUES (1, 'a')");
    }

    @AfterEach
    void close() {
        sessions.forEach(Session::close);
        own.close();
        face.close();
        store.close();
    }

    private Session begun() {
        Session session = face.session("root");
        sessions.add(session);
        session.execute("BEGIN");
        return session;
    }

    private static long rows(Session session, String sql) {
        try (QueryRows rows = ((Outcome.Rows) session.execute(sql)).rows()) {
            long count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    /** How many more snapshots the store has. */
    private int available() {
        List<Snapshot> taken = new ArrayList<>();
        try {
            while (taken.size() < Limits.SNAPSHOTS_MAX) {
                taken.add(store.snapshot());
            }
        } catch (StoreException none) {
            // Counted.
        } finally {
            taken.forEach(Snapshot::close);
        }
        return taken.size();
    }

    @Test
    void anIdleTransactionHoldsNoSnapshot() {
        int before = available();
        for (int i = 0; i < IDLE_SESSIONS; i++) {
            Session session = begun();
            session.execute("SAVEPOINT s");
            session.execute("SET LOCAL statement_timeout = '10s'");
        }
        assertThat(available()).isEqualTo(before);
        Session last = sessions.get(IDLE_SESSIONS - 1);
        own.execute("INSERT INTO t VALUES (2, 'b')");
        assertThat(rows(last, "SELECT * FROM t")).isEqualTo(2);
        own.execute("INSERT INTO t VALUES (3, 'c')");
        assertThat(rows(last, "SELECT * FROM t")).isEqualTo(2);
        assertThat(available()).isEqualTo(before - 1);
        last.execute("COMMIT");
        assertThat(available()).isEqualTo(before);
    }

    @Test
    void aSavepointBeforeTheFirstStatementUndoesAllOfThem() {
        Session session = begun();
        session.execute("SAVEPOINT s");
        session.execute("INSERT INTO t VALUES (2, 'b')");
        own.execute("INSERT INTO t VALUES (3, 'c')");
        session.execute("ROLLBACK TO SAVEPOINT s");
        assertThat(rows(session, "SELECT * FROM t")).isEqualTo(1);
        session.execute("INSERT INTO t VALUES (4, 'd')");
        session.execute("COMMIT");
        assertThat(rows(own, "SELECT * FROM t")).isEqualTo(3);
    }

    @Test
    void beyondTheQuotaTransactionsAreRefusedAndAllElseWorks() {
        for (int i = 0; i < SnapshotQuota.TRANSACTIONS_MAX; i++) {
            assertThat(rows(begun(), "SELECT * FROM t WHERE id = 1")).isEqualTo(1);
        }
        Session refused = begun();
        assertThatThrownBy(() -> rows(refused, "SELECT * FROM t"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.TOO_MANY));
        refused.execute("ROLLBACK");
        assertThat(rows(own, "SELECT v FROM t WHERE v = 'a'")).isEqualTo(1);
        Table table = store.tables().stream()
                .filter(candidate -> candidate.name().name().equals("t"))
                .findFirst()
                .orElseThrow();
        try (Snapshot snapshot = store.snapshot();
                ChangeFeed feed = store.changes(Set.of(table), snapshot.position())) {
            own.execute("INSERT INTO t VALUES (2, 'b')");
            assertThat(feed.poll(1, Duration.ofMinutes(1))).hasSize(1);
        }
        own.execute("FLUSH TABLE t");
        sessions.get(0).execute("ROLLBACK");
        refused.execute("BEGIN");
        assertThat(rows(refused, "SELECT * FROM t")).isEqualTo(2);
    }
}
