package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.wire.SqlEndpoint;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.ForwardingSnapshot;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot or cursor that fails to close costs its own statement or session, and nothing else. */
@Timeout(60)
class FailingCloseTest {
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    @TempDir
    private Path directory = Path.of("");

    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean snapshotsFail;
    private volatile boolean cursorsFail;
    private final ManualClock clock = new ManualClock();
    private SqlFace face;

    private final ForwardingStore store = new ForwardingStore(new MemoryStore()) {
        @Override
        public Snapshot snapshot() {
            open.incrementAndGet();
            return new ForwardingSnapshot(super.snapshot()) {
                @Override
                public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
                    return failing(super.scan(table, range, direction, limit));
                }

                @Override
                public void close() {
                    super.close();
                    open.decrementAndGet();
                    failIf(snapshotsFail);
                }
            };
        }
    };

    private static void failIf(boolean wanted) {
        if (wanted) {
            throw new StoreException(StoreError.IO, "It does not close, by the test's will");
        }
    }

    private Cursor failing(Cursor beneath) {
        return new Cursor() {
            @Override
            public boolean next() {
                return beneath.next();
            }

            @Override
            public boolean seek(Bytes key) {
                return beneath.seek(key);
            }

            @Override
            public Bytes key() {
                return beneath.key();
            }

            @Override
            public Bytes value() {
                return beneath.value();
            }

            @Override
            public void close() {
                beneath.close();
                failIf(cursorsFail);
            }
        };
    }

    @BeforeEach
    void open() {
        face = SqlFace.open(store, SqlOptions.in(directory));
        try (Session session = face.session("root")) {
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
            session.execute("INSERT INTO t VALUES (1, 10), (2, 20)");
        }
    }

    @AfterEach
    void close() {
        face.close();
        store.close();
    }

    @Test
    void aCursorThatFailsToCloseLeavesNoSnapshotOpen() {
        try (Session session = face.session("root")) {
            QueryRows rows = ((Outcome.Rows) session.execute("SELECT v FROM t WHERE id > 0")).rows();
            assertThat(rows.next()).isTrue();
            assertThat(open.get()).isEqualTo(1);
            cursorsFail = true;
            assertThatThrownBy(rows::close).isInstanceOf(StoreException.class);
            cursorsFail = false;
            assertThat(open.get()).isZero();
            assertThat(face.engine().queries().all()).isEmpty();
        }
    }

    @Test
    void aSessionThatFailsToCloseDoesNotKeepOthersFromExpiring() {
        RequestGuard guard = new RequestGuard(
                Set.of(),
                Users.open(new MemoryStore(), new Sessions(), InstantSource.system()),
                token -> Optional.empty());
        try (SqlEndpoint endpoint = new SqlEndpoint(face.engine(), guard, clock)) {
            snapshotsFail = true;
            beginIn(endpoint);
            awaitNoSnapshot();
            snapshotsFail = false;
            beginIn(endpoint);
            awaitNoSnapshot();
        }
    }

    /** Leaves a session with an open transaction behind. */
    private void beginIn(SqlEndpoint endpoint) {
        AtomicInteger status = new AtomicInteger();
        Bytes body = Bytes.utf8("{\"sql\": \"BEGIN; SELECT v FROM t WHERE id > 0\", \"session_id\": \"new\"}");
        Map<String, String> headers = Map.of("content-type", "application/json", "host", "localhost");
        endpoint.answer(HttpRequest.post(SqlEndpoint.PATH, headers, body, CLIENT), new ReplyStream() {
            @Override
            public void header(String name, String value) {
                assertThat(name).isEqualTo(SqlEndpoint.SESSION_HEADER);
            }

            @Override
            public void whenGone(Runnable action) {
                // The client of this test stays.
            }

            @Override
            public void whole(int answered, String contentType, byte[] bytes) {
                status.set(answered);
            }

            @Override
            public OutputStream begin(int answered, String contentType) {
                throw new AssertionError("The answer is small");
            }
        });
        assertThat(status.get()).isEqualTo(200);
        assertThat(open.get()).isEqualTo(1);
    }

    /** Only the timer closes sessions here: no request comes. */
    private void awaitNoSnapshot() {
        clock.advance(Duration.ofMinutes(2));
        Await.until("the snapshot is closed", () -> open.get() == 0);
    }
}
