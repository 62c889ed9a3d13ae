package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.conformance.process.PolytableProcess;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL while clients insert, update and delete through SQL: acknowledged statements are durable, statements and
 * transactions are atomic, and indexes agree with their rows.
 */
class SqlCrashTest {
    private static final int WRITERS = 3;
    private static final int ROWS_PER_STATEMENT = 20;

    /** The server is killed after so many acknowledged steps of all writers. */
    private static final int KILL_AFTER_STEPS_MAX = 300;

    private static final Pattern HTTP = Pattern.compile("http=(\\d+)");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    @Tag("crash")
    void fiveCrashes(@TempDir Path directory) throws Exception {
        crash(directory, 1, 5);
    }

    @Test
    @Tag("crash")
    void fifteenCrashesSynced(@TempDir Path directory) throws Exception {
        crash(directory, System.nanoTime(), 15, "--store.durability=always");
    }

    private static void crash(Path directory, long seed, int rounds, String... options) throws Exception {
        Random random = new Random(seed);
        List<Writer> writers = IntStream.range(0, WRITERS).mapToObj(Writer::new).toList();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (PolytableProcess server = PolytableProcess.start(directory, options)) {
            new Sql(server)
                    .ask("CREATE TABLE t (writer INT, n INT, step INT, tag TEXT, PRIMARY KEY (writer, n));"
                            + " CREATE INDEX t_tag ON t (tag); CREATE TABLE last (writer INT PRIMARY KEY, step INT)");
            for (int round = 1; round <= rounds; round++) {
                long enough = acknowledged(writers) + 1 + random.nextInt(KILL_AFTER_STEPS_MAX);
                List<Future<?>> running = new ArrayList<>();
                Sql sql = new Sql(server);
                writers.forEach(writer -> running.add(threads.submit(() -> writer.writeUntilLost(sql))));
                Await.until(
                        "enough steps are acknowledged",
                        () -> acknowledged(writers) >= enough
                                || running.stream().anyMatch(Future::isDone));
                server.kill();
                for (Future<?> one : running) {
                    one.get(60, TimeUnit.SECONDS);
                }
                server.restart();
                Sql after = new Sql(server);
                for (Writer writer : writers) {
                    writer.recover(after);
                }
            }
            server.stop();
            server.check();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        } finally {
            threads.shutdownNow();
        }
        assertThat(writers).anySatisfy(writer -> assertThat(writer.acknowledged).isPositive());
    }

    private static long acknowledged(List<Writer> writers) {
        return writers.stream().mapToLong(writer -> writer.acknowledged).sum();
    }

    /** Sends statements to a server over HTTP. */
    private static final class Sql {
        private final HttpClient client = HttpClient.newHttpClient();
        private final URI uri;

        Sql(PolytableProcess server) {
            Matcher port = HTTP.matcher(server.output());
            String last = "";
            while (port.find()) {
                last = port.group(1);
            }
            uri = URI.create("http://127.0.0.1:" + last + "/v1/api/sql");
        }

        JsonNode ask(String sql) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .timeout(Duration.ofSeconds(60))
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json; numbers=bare")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            MAPPER.createObjectNode().put("sql", sql).toString()))
                    .build();
            String body =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            JsonNode answer = MAPPER.readTree(body);
            if (answer.has("error")) {
                throw new AssertionError(sql + ": " + answer.get("error"));
            }
            return answer.at("/results");
        }
    }

    /**
     * Step n of a writer inserts, changes or removes all of its rows in one statement or one transaction, and leaves n
     * everywhere, so that a partial step would be visible.
     */
    private static final class Writer {
        private final int number;
        private volatile int acknowledged;
        private int sent;

        Writer(int number) {
            this.number = number;
        }

        private String step(int step) {
            String last = "INSERT INTO last VALUES (" + number + ", " + step
                    + ") ON CONFLICT (writer) DO UPDATE SET step = excluded.step";
            StringBuilder rows = new StringBuilder();
            for (int n = 0; n < ROWS_PER_STATEMENT; n++) {
                rows.append(n == 0 ? "" : ", ")
                        .append("(" + number + ", " + n + ", " + step + ", 'w" + number + "s" + step + "')");
            }
            String change = step % 3 == 0
                    ? "DELETE FROM t WHERE writer = " + number + "; INSERT INTO t VALUES " + rows
                    : "INSERT INTO t VALUES " + rows
                            + " ON CONFLICT (writer, n) DO UPDATE SET step = excluded.step, tag = excluded.tag";
            return "BEGIN; " + change + "; " + last + "; COMMIT";
        }

        void writeUntilLost(Sql sql) {
            try {
                while (true) {
                    sent = acknowledged + 1;
                    sql.ask(step(sent));
                    acknowledged = sent;
                }
            } catch (IOException lost) {
                // The server was killed: the outcome of the last step is unknown.
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        void recover(Sql sql) throws IOException, InterruptedException {
            JsonNode last =
                    sql.ask("SELECT step FROM last WHERE writer = " + number).at("/0/rows");
            int step = last.isEmpty() ? 0 : last.at("/0/0").asInt();
            assertThat(step).as("writer %d", number).isBetween(acknowledged, sent);
            if (step > 0) {
                assertThat(sql.ask("SELECT count(*), min(step), max(step) FROM t WHERE writer = " + number)
                                .at("/0/rows/0")
                                .toString())
                        .isEqualTo("[" + ROWS_PER_STATEMENT + "," + step + "," + step + "]");
                String tag = "w" + number + "s" + step;
                assertThat(sql.ask("SELECT n FROM t WHERE tag = '" + tag + "'")
                                .at("/0/rows")
                                .size())
                        .isEqualTo(ROWS_PER_STATEMENT);
                String before = "w" + number + "s" + (step - 1);
                assertThat(sql.ask("SELECT n FROM t WHERE tag = '" + before + "'")
                                .at("/0/rows")
                                .size())
                        .isZero();
            }
            acknowledged = step;
            sent = step;
        }
    }
}
