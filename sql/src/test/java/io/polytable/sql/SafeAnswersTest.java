package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.sql.wire.SqlEndpoint;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.DelayedDurabilityStore;
import io.polytable.table.testkit.MemoryStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No answer leaves before what it saw is durable, and none at all if the log fails. */
class SafeAnswersTest {
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String JSON = "application/json";

    @TempDir
    Path directory;

    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final DelayedDurabilityStore store = new DelayedDurabilityStore(new MemoryStore());
    private SqlFace face;
    private SqlEndpoint endpoint;

    @BeforeEach
    void open() {
        face = durable(CompletableFuture.supplyAsync(() -> SqlFace.open(store, SqlOptions.in(directory)), clients));
        endpoint = new SqlEndpoint(
                face.engine(),
                new RequestGuard(
                        Set.of(),
                        Users.open(new MemoryStore(), new Sessions(), InstantSource.system()),
                        token -> Optional.empty()),
                InstantSource.system());
        durable(send(
                "CREATE TABLE t (id INT PRIMARY KEY, v TEXT);"
                        + " INSERT INTO t SELECT i, repeat('x', 1000) FROM generate_series(1, 400) g(i)",
                JSON));
    }

    @AfterEach
    void close() {
        store.release();
        clients.shutdownNow();
        endpoint.close();
        face.close();
        store.close();
    }

    private CompletableFuture<RecordedReply> send(String sql, String accept) {
        RecordedReply reply = new RecordedReply();
        String body = MAPPER.createObjectNode().put("sql", sql).toString();
        Map<String, String> headers = Map.of("content-type", JSON, "host", "localhost", "accept", accept);
        return CompletableFuture.supplyAsync(
                () -> {
                    endpoint.answer(HttpRequest.post(SqlEndpoint.PATH, headers, Bytes.utf8(body), CLIENT), reply);
                    return reply;
                },
                clients);
    }

    /** The result of what needs several commits, each of which is released. */
    private <T> T durable(CompletableFuture<T> result) {
        Await.until("it is durable", () -> {
            store.release();
            return result.isDone();
        });
        return result.join();
    }

    /** Inserts a row that is visible and not durable. */
    private CompletableFuture<RecordedReply> insertHeld() {
        CompletableFuture<RecordedReply> insert = send("INSERT INTO t VALUES (1000, 'held')", JSON);
        Await.until("the row is committed", () -> store.held() > 0);
        return insert;
    }

    private void awaitWaiting(String sql) {
        Await.until(
                "the answer waits",
                () -> face.engine().queries().all().stream()
                        .anyMatch(query -> query.text().equals(sql)));
    }

    /** Statements of every way to read, and the type of their answers. */
    private static final List<List<String>> ANSWERS = List.of(
            List.of("SELECT v FROM t WHERE id = 1000", JSON),
            List.of("SELECT v FROM t WHERE id >= 900 ORDER BY id", JSON),
            List.of("SELECT max(v) FROM t WHERE v < 'x'", JSON),
            List.of("SELECT id, v FROM t ORDER BY id", JSON),
            List.of("SELECT id, v FROM t ORDER BY id LIMIT 1000", "text/csv"),
            List.of("SELECT id, v FROM t WHERE id = 500 * 2", "text/csv"),
            List.of("SELECT v, id FROM t ORDER BY id", "application/vnd.apache.arrow.stream"),
            List.of("BEGIN; SELECT v FROM t WHERE id = 1000; COMMIT WORK", JSON),
            List.of("UPDATE t SET v = v WHERE id = 2000 OR v = 'none' RETURNING 'held'", JSON),
            List.of("EXPLAIN SELECT v FROM t WHERE v = 'held'", JSON));

    private List<CompletableFuture<RecordedReply>> sendAll() {
        List<CompletableFuture<RecordedReply>> answers = new ArrayList<>();
        for (List<String> answer : ANSWERS) {
            String sql = answer.get(0);
            answers.add(send(sql, answer.get(1)));
            awaitWaiting(sql.substring(sql.lastIndexOf(';') + 1).strip());
        }
        return answers;
    }

    @Test
    void anAnswerLeavesWhenItsRowsAreDurable() {
        var insert = insertHeld();
        var answers = sendAll();
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        store.release();
        for (int i = 0; i < answers.size(); i++) {
            RecordedReply reply = answers.get(i).join();
            assertThat(reply.status).as(ANSWERS.get(i).get(0)).isEqualTo(200);
            if (ANSWERS.get(i).get(0).contains("SELECT id, v")) {
                assertThat(reply.text()).contains("held");
            }
        }
        assertThat(insert.join().status).isEqualTo(200);
    }

    @Test
    void noRowLeavesIfTheLogFails() {
        var insert = insertHeld();
        var answers = sendAll();
        store.fail();
        for (int i = 0; i < answers.size(); i++) {
            RecordedReply reply = answers.get(i).join();
            assertThat(reply.status).as(ANSWERS.get(i).get(0)).isEqualTo(503);
            assertThat(reply.streamed).isFalse();
            assertThat(reply.json().at("/error/code").asText()).isEqualTo("UNAVAILABLE");
            assertThat(reply.text()).doesNotContain("held").doesNotContain("xxx");
        }
        assertThat(insert.join().status).isNotEqualTo(200);
    }

    @Test
    void theWaitEndsAtTheStatementsTimeLimit() {
        var insert = insertHeld();
        RecordedReply reply = send("SET statement_timeout = '20ms'; SELECT v FROM t WHERE id = 1000", JSON)
                .join();
        assertThat(reply.status).isEqualTo(408);
        assertThat(reply.json().at("/error/code").asText()).isEqualTo("TIMEOUT");
        assertThat(reply.text()).doesNotContain("held");
        assertThat(insert).isNotDone();
    }

    @Test
    void aWaitingAnswerCanBeKilled() {
        String select = "SELECT id, v FROM t ORDER BY id";
        var insert = insertHeld();
        var answer = send(select, JSON);
        awaitWaiting(select);
        face.engine().queries().all().stream()
                .filter(query -> query.text().equals(select))
                .forEach(query -> query.cancellation().cancel());
        RecordedReply reply = answer.join();
        assertThat(reply.json().at("/error/code").asText()).isEqualTo("CANCELLED");
        assertThat(reply.text()).doesNotContain("xxx");
        assertThat(insert).isNotDone();
    }

    @Test
    void anErrorThatRevealsARowWaitsToo() {
        var insert = insertHeld();
        String duplicate = "INSERT INTO t VALUES (1000, 'other')";
        var answer = send(duplicate, JSON);
        awaitWaiting(duplicate);
        assertThat(answer).isNotDone();
        store.release();
        assertThat(answer.join().json().at("/error/code").asText()).isEqualTo("UNIQUE_VIOLATION");
        assertThat(insert.join().status).isEqualTo(200);
    }

    @Test
    void aRequestWithoutAStatementDoesNotWait() {
        var insert = insertHeld();
        assertThat(send("SELEKT", JSON).join().json().at("/error/code").asText())
                .isEqualTo("SYNTAX_ERROR");
        assertThat(insert).isNotDone();
    }
}
