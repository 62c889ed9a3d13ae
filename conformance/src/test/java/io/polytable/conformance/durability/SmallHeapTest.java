package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.PolytableProcess;
import io.polytable.conformance.resp.RespConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests for more than a small heap can hold, with the launcher's flags, which end the process at the first
 * OutOfMemoryError: every request gets a reply, possibly an error, and the server keeps running and can be restarted
 * with the same heap.
 */
@Tag("crash")
class SmallHeapTest {
    private static final int MB = 1 << 20;
    private static final int[] VALUE_MEGABYTES = {64, 128, 200, 33, 64, 63};
    private static final int MEGABYTES_MAX = 64;
    private static final int WRITERS = 4;
    private static final int HASHES = 4_000_000;
    private static final int PIPELINE = 16;
    private static final int LARGE_VALUES = 50;

    @Test
    void valuesOfHundredsOfMegabytesInAGigabyte(@TempDir Path directory) {
        try (PolytableProcess server = PolytableProcess.startWithHeap(directory, "1g")) {
            for (int i = 0; i < VALUE_MEGABYTES.length; i++) {
                String answer = set(server, "k" + i, VALUE_MEGABYTES[i]);
                assertThat(answer)
                        .as("%d MB", VALUE_MEGABYTES[i])
                        .startsWith(fits(i) ? "OK" : "ERR Protocol error: invalid bulk length");
            }
            verifyValues(server);
            server.kill();
            server.restart();
            verifyValues(server);
        }
    }

    /** Together they exceed the limit: some get an error, and the server keeps serving all of them. */
    @Test
    void largeValuesFromManyClientsAtOnce(@TempDir Path directory) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (PolytableProcess server = PolytableProcess.startWithHeap(directory, "1g")) {
            List<Future<List<String>>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                writers.add(threads.submit(() -> Arrays.stream(VALUE_MEGABYTES)
                        .mapToObj(megabytes -> set(server, "shared", megabytes))
                        .toList()));
            }
            for (Future<List<String>> writer : writers) {
                assertThat(writer.get(5, TimeUnit.MINUTES))
                        .hasSize(VALUE_MEGABYTES.length)
                        .allMatch(answer -> answer.matches("OK|OOM .*|ERR Protocol error: .*"));
            }
            assertThat(set(server, "last", MEGABYTES_MAX)).isEqualTo("OK");
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean fits(int value) {
        return VALUE_MEGABYTES[value] <= MEGABYTES_MAX;
    }

    /** A SET over a connection of its own, since an error closes the connection. */
    private static String set(PolytableProcess server, String key, int megabytes) {
        try (RespConnection client = RespConnection.open(server.port())) {
            int length = megabytes * MB;
            client.send("*3\r\n$3\r\nSET\r\n$" + key.length() + "\r\n" + key + "\r\n$" + length + "\r\n");
            String part = "v".repeat(MB);
            for (int sent = 0; sent < length; sent += MB) {
                client.send(part);
            }
            client.send("\r\n");
            return client.read().tree().text();
        }
    }

    private static void verifyValues(PolytableProcess server) {
        try (RespConnection client = RespConnection.open(server.port())) {
            for (int i = 0; i < VALUE_MEGABYTES.length; i++) {
                long expected = fits(i) ? (long) VALUE_MEGABYTES[i] * MB : 0;
                assertThat(client.call("STRLEN", "k" + i).tree().text()).isEqualTo(Long.toString(expected));
                assertThat(client.call("GETRANGE", "k" + i, "0", "2").tree().text())
                        .isEqualTo(expected > 0 ? "vvv" : "");
            }
        }
    }

    /** Replies of far more than the heap, of values in files and in memory, from several clients: each gets an error. */
    @Test
    void repliesThatAreLargerThanTheHeap(@TempDir Path directory) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (PolytableProcess server = PolytableProcess.startWithHeap(directory, "256m")) {
            List<String> mget = new ArrayList<>(List.of("MGET"));
            try (RespConnection client = RespConnection.open(server.port())) {
                String value = "v".repeat(8 * MB);
                for (int i = 0; i < LARGE_VALUES; i++) {
                    assertThat(client.call("SET", "large" + i, value).tree().text())
                            .isEqualTo("OK");
                    assertThat(client.call("HSET", "hash", "f" + i, value)
                                    .tree()
                                    .text())
                            .isEqualTo("1");
                    mget.add("large" + i);
                }
            }
            List<List<String>> requests = List.of(mget, List.of("HGETALL", "hash"), List.of("HVALS", "hash"));
            List<Future<List<String>>> readers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                readers.add(threads.submit(() -> ask(server, requests)));
            }
            for (Future<List<String>> reader : readers) {
                assertThat(reader.get(5, TimeUnit.MINUTES)).allMatch(answer -> answer.startsWith("OOM "));
            }
            try (RespConnection client = RespConnection.open(server.port())) {
                assertThat(client.call("STRLEN", "large0").tree().text()).isEqualTo(Integer.toString(8 * MB));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<String> ask(PolytableProcess server, List<List<String>> requests) {
        try (RespConnection client = RespConnection.open(server.port())) {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                requests.forEach(
                        request -> answers.add(client.call(request).tree().text()));
            }
            return answers;
        }
    }

    @Test
    void millionsOfSmallHashesInHalfAGigabyte(@TempDir Path directory) {
        Random random = new Random(10);
        try (PolytableProcess server = PolytableProcess.startWithHeap(directory, "512m");
                RespConnection client = RespConnection.open(server.port())) {
            List<List<String>> batch = new ArrayList<>();
            for (int i = 0; i < HASHES; i += PIPELINE) {
                batch.clear();
                for (int j = 0; j < PIPELINE; j++) {
                    batch.add(List.of("HSET", "h:" + random.nextInt(HASHES), "f", "v"));
                }
                assertThat(client.pipeline(batch))
                        .extracting(answer -> answer.tree().text())
                        .allMatch(text -> text.matches("[01]"));
            }
            assertThat(client.call("PING").tree().text()).isEqualTo("PONG");
        }
    }
}
