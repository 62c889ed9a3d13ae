package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.session.Session.Activity;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.sql.wire.SqlEndpoint;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of {@code POST /v1/api/sql}: their ids, when they are free, when they end, and what the client learns. */
class SqlSessionsTest {
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();
    private SqlFace face;
    private SqlEndpoint endpoint;

    @BeforeEach
    void open() {
        face = SqlFace.open(store, SqlOptions.in(directory));
        endpoint = endpoint(InstantSource.system());
    }

    private SqlEndpoint endpoint(InstantSource clock) {
        return new SqlEndpoint(
                face.engine(),
                new RequestGuard(
                        Set.of(),
                        Users.open(new MemoryStore(), new Sessions(), InstantSource.system()),
                        token -> Optional.empty()),
                clock);
    }

    @AfterEach
    void close() {
        endpoint.close();
        face.close();
        store.close();
    }

    private static Map<String, String> headers(String... more) {
        Map<String, String> headers =
                new HashMap<>(Map.of("content-type", "application/json", "host", "localhost:8080"));
        for (int i = 0; i < more.length; i += 2) {
            headers.put(more[i], more[i + 1]);
        }
        return headers;
    }

    private RecordedReply send(String body, Map<String, String> headers) {
        RecordedReply reply = new RecordedReply();
        endpoint.answer(HttpRequest.post(SqlEndpoint.PATH, headers, Bytes.utf8(body), CLIENT), reply);
        return reply;
    }

    private RecordedReply sql(String sql) {
        return send(MAPPER.createObjectNode().put("sql", sql).toString(), headers());
    }

    /** The next request may be sent when the answer is there; its session must be free by then. */
    @Test
    void aSessionIsFreeWhenItsAnswerIsComplete() {
        String id = session();
        AtomicInteger status = new AtomicInteger();
        for (String sql : List.of("SELECT 1", "SELECT x, repeat('y', 100) FROM range(20000) r(x)")) {
            String body = within(id, sql);
            endpoint.answer(HttpRequest.post(SqlEndpoint.PATH, headers(), Bytes.utf8(body), CLIENT), new ReplyStream() {
                @Override
                public void header(String name, String value) {
                    assertThat(value).isEqualTo(id);
                }

                @Override
                public void whenGone(Runnable action) {
                    // The client of this test stays.
                }

                @Override
                public void whole(int answered, String contentType, byte[] bytes) {
                    status.set(send(within(id, "SELECT 2"), headers()).status);
                }

                @Override
                public OutputStream begin(int answered, String contentType) {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            status.set(send(within(id, "SELECT 2"), headers()).status);
                        }
                    };
                }
            });
            assertThat(status.getAndSet(0)).as(sql).isEqualTo(200);
        }
    }

    private String session() {
        return send("{\"sql\": \"SELECT 1\", \"session_id\": \"new\"}", headers())
                .json()
                .at("/session_id")
                .asText();
    }

    private static String within(String session, String sql) {
        return MAPPER.createObjectNode()
                .put("sql", sql)
                .put("session_id", session)
                .toString();
    }

    @Test
    void aSessionThatCouldNotBeginIsNotKept() {
        for (int i = 0; i < 1001; i++) {
            RecordedReply refused =
                    send("{\"sql\": \"SELECT 1\", \"session_id\": \"new\", \"namespace_id\": \"nowhere\"}", headers());
            assertThat(refused.json().at("/error/code").asText()).isEqualTo("UNDEFINED_NAMESPACE");
        }
        assertThat(session()).isNotEmpty();
    }

    @Test
    void aHeaderNamesTheSessionInEveryFormat() {
        for (String format : List.of("application/json", "text/csv", "application/vnd.apache.arrow.stream")) {
            RecordedReply begun =
                    send("{\"sql\": \"BEGIN; SELECT 1\", \"session_id\": \"new\"}", headers("accept", format));
            String id = begun.headers.getOrDefault(SqlEndpoint.SESSION_HEADER, "");
            assertThat(send(within(id, "ROLLBACK"), headers())
                            .json()
                            .at("/results/0/message")
                            .asText())
                    .as(format)
                    .isEqualTo("ROLLBACK");
        }
        assertThat(sql("SELECT 1").headers).isEmpty();
    }

    @Test
    void theAnswerSaysWhetherATransactionIsOpen() {
        String id = session();
        assertThat(send(within(id, "BEGIN"), headers())
                        .json()
                        .at("/transaction")
                        .asText())
                .isEqualTo("in_transaction");
        assertThat(send(within(id, "SELECT 1/0"), headers())
                        .json()
                        .at("/transaction")
                        .asText())
                .isEqualTo("failed");
        assertThat(send(within(id, ""), headers()).status).as("keeps alive").isEqualTo(200);
        assertThat(send(within(id, "ROLLBACK"), headers())
                        .json()
                        .at("/transaction")
                        .asText())
                .isEqualTo("idle");
        assertThat(sql("").status).isEqualTo(400);
        JsonNode warned = sql("ROLLBACK").json().at("/results/0/notices/0");
        assertThat(warned.at("/severity").asText()).isEqualTo("WARNING");
        assertThat(warned.at("/sqlstate").asText()).isEqualTo("25P01");
    }

    @Test
    void aTextWithoutStatementsKeepsASessionAlive() {
        AtomicLong millis = new AtomicLong(1_000_000);
        endpoint.close();
        endpoint = endpoint(() -> Instant.ofEpochMilli(millis.get()));
        String kept = session();
        String left = session();
        for (int i = 0; i < 5; i++) {
            millis.addAndGet(50_000);
            assertThat(send(within(kept, ""), headers()).status).isEqualTo(200);
        }
        assertThat(send(within(left, "SELECT 1"), headers()).status).isEqualTo(404);
    }

    @Test
    void aLostSessionHasAStatusOfItsOwn() {
        RecordedReply lost = send(within("0123", "SELECT 1"), headers());
        assertThat(lost.status).isEqualTo(404);
        assertThat(lost.json().at("/error/details/sqlstate").asText()).isEqualTo("08003");
    }

    /** What an operator ends, or the removal of its user. */
    @Test
    void anEndedSessionIsLost() {
        String id = session();
        assertThat(send(within(id, "BEGIN"), headers()).status).isEqualTo(200);
        assertThat(face.engine().sessions().end("root")).isEqualTo(1);
        assertThat(send(within(id, "SELECT 1"), headers()).status).isEqualTo(404);
        assertThat(face.engine().sessions().all()).isEmpty();
    }

    @Test
    void theEndOfASessionCancelsItsStatement() throws Exception {
        String id = session();
        String endless = "SELECT count(*) FROM range(1000000000) a(x), range(1000000000) b(y) WHERE (x * y) % 7 = 3";
        CompletableFuture<RecordedReply> running =
                CompletableFuture.supplyAsync(() -> send(within(id, endless), headers()));
        Await.until(
                "the statement runs",
                () -> face.engine().sessions().all().stream()
                        .anyMatch(session -> session.activity().equals(new Activity(endless, true))));
        Await.until(
                "the statement is registered",
                () -> !face.engine().queries().all().isEmpty());
        assertThat(face.engine().sessions().end("root")).isEqualTo(1);
        assertThat(running.get(2, TimeUnit.MINUTES)
                        .json()
                        .at("/error/details/sqlstate")
                        .asText())
                .isEqualTo("57014");
        assertThat(send(within(id, "SELECT 1"), headers()).status).isEqualTo(404);
        assertThat(face.engine().sessions().all()).isEmpty();
    }
}
