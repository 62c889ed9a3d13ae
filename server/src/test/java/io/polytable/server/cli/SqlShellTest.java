package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.polytable.table.testkit.Await;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The prompt and its session, at a server whose answers the test chooses. */
@Timeout(60)
class SqlShellTest {
    private static final String BEGUN = "{\"results\": [{\"schema\": [], \"rows\": [], \"message\": \"BEGIN\"}],"
            + " \"session_id\": \"s1\", \"transaction\": \"in_transaction\", \"status\": \"success\"}";
    private static final String LOST = "{\"results\": [], \"status\": \"error\","
            + " \"error\": {\"code\": \"UNDEFINED_SESSION\", \"message\": \"there is no such session\"}}";

    @TempDir
    private Path directory = Path.of("");

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private volatile Consumer<String> onStatement = body -> {};
    private volatile Runnable interrupt = () -> {};
    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", call -> {
            String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(body);
            onStatement.accept(body);
            String next = body.contains("\"sql\":\"\"") ? null : answers.poll();
            byte[] answer = (next == null ? BEGUN : next).getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().add("Content-Type", "application/json");
            call.sendResponseHeaders(200, answer.length);
            call.getResponseBody().write(answer);
            call.close();
        });
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void prompt(InputStream keys, Duration keepAlive) throws IOException {
        SqlClient client = new SqlClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/api/sql"), "Bearer x");
        try (Terminal terminal = new ExternalTerminal("test", "ansi", keys, screen, StandardCharsets.UTF_8)) {
            interrupt = () -> terminal.raise(Terminal.Signal.INT);
            new SqlShell(
                            client,
                            new ResultPrinter(new PrintWriter(new StringWriter(), true)),
                            new PrintWriter(err, true),
                            keepAlive)
                    .run(terminal, directory.resolve("history"));
        }
    }

    private static InputStream keys(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aStatementOfALostSessionIsNotSentAgain() throws IOException {
        answers.add(BEGUN);
        answers.add(LOST);
        prompt(keys("BEGIN;\nDELETE FROM t;\nROLLBACK;\n\\q\n"), Duration.ofHours(1));
        assertThat(requests.stream().filter(body -> body.contains("DELETE"))).hasSize(1);
        assertThat(requests.get(1)).contains("\"session_id\":\"s1\"");
        assertThat(requests.get(2)).contains("ROLLBACK").contains("\"session_id\":\"new\"");
        assertThat(err.toString()).contains("UNDEFINED_SESSION").contains("The session has ended");
        assertThat(screen.toString(StandardCharsets.UTF_8)).contains("polytable*>");
    }

    @Test
    void aPromptKeepsItsSessionAlive() throws Exception {
        PipedOutputStream typed = new PipedOutputStream();
        Thread prompt = new Thread(() -> {
            try {
                prompt(new PipedInputStream(typed), Duration.ofMillis(5));
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        });
        prompt.start();
        Await.until("the pipe is connected", () -> isWritten(typed, "BEGIN;\n"));
        Await.until(
                "a request without a statement in the session",
                () -> requests.stream()
                        .anyMatch(body -> body.contains("\"sql\":\"\"") && body.contains("\"session_id\":\"s1\"")));
        assertThat(isWritten(typed, "\\q\n")).isTrue();
        prompt.join();
    }

    @Test
    void anInterruptEndsTheStatementAndKeepsTheSession() throws Exception {
        answers.add(BEGUN);
        PipedOutputStream typed = new PipedOutputStream();
        CountDownLatch ended = new CountDownLatch(1);
        onStatement = body -> {
            if (body.contains("slow")) {
                interrupt.run();
                await(ended);
            }
        };
        Thread prompt = new Thread(() -> {
            try {
                prompt(new PipedInputStream(typed), Duration.ofHours(1));
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        });
        prompt.start();
        Await.until("the pipe is connected", () -> isWritten(typed, "BEGIN;\nSELECT slow;\n"));
        Await.until("the statement is cancelled", () -> err.toString().contains("Cancelled"));
        assertThat(isWritten(typed, "COMMIT;\n\\q\n")).isTrue();
        prompt.join();
        ended.countDown();
        assertThat(requests.get(requests.size() - 1)).contains("COMMIT").contains("\"session_id\":\"s1\"");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLongValueIsPrintedWhole() throws IOException {
        StringWriter out = new StringWriter();
        String value = "x".repeat(1000);
        JsonNode answer = new ObjectMapper()
                .readTree("{\"results\": [{\"schema\": [{\"name\": \"v\"}, {\"name\": \"w\"}], \"rows\": [[\"" + value
                        + "\", \"1\"], [\"short\", \"2\"]]}]}");
        assertThat(new ResultPrinter(new PrintWriter(out, true)).print(answer, new PrintWriter(err)))
                .isTrue();
        assertThat(out.toString().lines().toList()).contains(" " + value + " | 1");
        assertThat(out.toString().lines().mapToInt(String::length).max().orElse(0))
                .isEqualTo(value.length() + 5);
    }

    private static boolean isWritten(PipedOutputStream pipe, String text) {
        try {
            pipe.write(text.getBytes(StandardCharsets.UTF_8));
            pipe.flush();
            return true;
        } catch (IOException notConnected) {
            return false;
        }
    }
}
