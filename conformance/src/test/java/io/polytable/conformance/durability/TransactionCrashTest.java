package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.history.Dice;
import io.polytable.conformance.process.Pause;
import io.polytable.conformance.process.PolytableProcess;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL while several connections run transactions: each is there whole or not at all, and all that were answered are. */
class TransactionCrashTest {
    private static final int WRITERS = 3;
    private static final int IN_FLIGHT = 8;
    private static final int KILL_AFTER_MILLIS_MAX = 1_000;

    @Test
    @Tag("crash")
    void twoCrashes(@TempDir Path directory) throws Exception {
        crash(directory, 1, 2, "--redis.sharding.enabled=true");
    }

    @Test
    @Tag("crash")
    void thirtyCrashes(@TempDir Path directory) throws Exception {
        crash(directory, System.nanoTime(), 30);
    }

    @Test
    @Tag("crash")
    void fifteenCrashesShardedAndSynced(@TempDir Path directory) throws Exception {
        crash(directory, System.nanoTime(), 15, "--redis.sharding.enabled=true", "--store.durability=always");
    }

    private static void crash(Path directory, long seed, int rounds, String... options) throws Exception {
        Dice dice = new Dice(seed);
        List<Payer> payers = IntStream.range(0, WRITERS).mapToObj(Payer::new).toList();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (PolytableProcess server = PolytableProcess.start(directory, options)) {
            for (int round = 1; round <= rounds; round++) {
                List<Future<?>> running = new ArrayList<>();
                payers.forEach(payer -> running.add(threads.submit(() -> payer.payUntilLost(server))));
                Pause.millis(dice.below(KILL_AFTER_MILLIS_MAX));
                server.kill();
                for (Future<?> one : running) {
                    one.get(30, TimeUnit.SECONDS);
                }
                server.restart();
                payers.forEach(payer -> payer.recover(server));
            }
            server.stop();
            server.check();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        } finally {
            threads.shutdownNow();
        }
        assertThat(payers).anySatisfy(payer -> assertThat(payer.acknowledged).isPositive());
    }

    /** The n-th transaction of a payer leaves n in keys of three types, in different shards; one of its commands fails. */
    private static final class Payer {
        private final int number;
        private long acknowledged;
        private long sent;

        Payer(int number) {
            this.number = number;
        }

        private String key(String name) {
            return name + ":" + number;
        }

        private String transaction(long n) {
            String value = Long.toString(n);
            List<List<String>> commands = List.of(
                    List.of("MULTI"),
                    List.of("SET", key("string"), value),
                    List.of("HSET", key("hash"), "f", value),
                    List.of("INCR", key("hash")),
                    List.of("ZADD", key("zset"), value, "m"),
                    List.of("DEL", key("gone")),
                    List.of("ZADD", key("gone"), value, "m"),
                    List.of("EXEC"));
            StringBuilder bytes = new StringBuilder();
            commands.forEach(words -> bytes.append(RespConnection.request(words)));
            return bytes.toString();
        }

        void payUntilLost(RespServer server) {
            try (RespConnection connection = server.connect()) {
                while (true) {
                    long first = acknowledged;
                    StringBuilder bytes = new StringBuilder();
                    for (long n = first + 1; n <= first + IN_FLIGHT; n++) {
                        bytes.append(transaction(n));
                    }
                    sent = first + IN_FLIGHT;
                    connection.send(bytes.toString());
                    while (acknowledged < sent) {
                        acknowledge(connection);
                    }
                }
            } catch (UncheckedIOException e) {
                // The server was killed: what is not acknowledged may be there or not.
            }
        }

        private void acknowledge(RespConnection connection) {
            for (int i = 0; i < 7; i++) {
                connection.read();
            }
            Resp replies = connection.read().tree();
            if (replies.isError()
                    || replies.items().size() != 6
                    || !replies.items().get(2).isError()) {
                throw new AssertionError("EXEC answered " + replies);
            }
            acknowledged++;
        }

        void recover(RespServer server) {
            try (RespConnection connection = server.connect()) {
                long string = number(connection.call("GET", key("string")).tree());
                assertThat(string).isBetween(acknowledged, sent);
                assertThat(number(connection.call("HGET", key("hash"), "f").tree()))
                        .isEqualTo(string);
                assertThat(number(connection.call("ZSCORE", key("zset"), "m").tree()))
                        .isEqualTo(string);
                assertThat(number(connection.call("ZSCORE", key("gone"), "m").tree()))
                        .isEqualTo(string);
                acknowledged = string;
                sent = string;
            }
        }

        private static long number(Resp reply) {
            return reply.isNull() ? 0 : Long.parseLong(reply.text());
        }
    }
}
