package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.history.Dice;
import io.polytable.conformance.process.PolytableProcess;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import io.polytable.table.testkit.Await;
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

/** SIGKILL while several connections run transactions, or scripts: each is atomic, and all acknowledged ones are durable. */
class TransactionCrashTest {
    private static final boolean MULTI = false;
    private static final boolean EVAL = true;
    private static final int WRITERS = 3;
    private static final int IN_FLIGHT = 8;

    /** The server is killed after so many acknowledged transactions of all payers. */
    private static final int KILL_AFTER_TRANSACTIONS_MAX = 1_000;

    @Test
    @Tag("crash")
    void twoCrashes(@TempDir Path directory) throws Exception {
        crash(directory, 1, 2, MULTI, "--redis.sharding.enabled=true");
    }

    @Test
    @Tag("crash")
    void thirtyCrashesInScripts(@TempDir Path directory) throws Exception {
        crash(directory, System.nanoTime(), 30, EVAL);
    }

    @Test
    @Tag("crash")
    void thirtyCrashes(@TempDir Path directory) throws Exception {
        crash(directory, System.nanoTime(), 30, MULTI);
    }

    @Test
    @Tag("crash")
    void fifteenCrashesShardedAndSynced(@TempDir Path directory) throws Exception {
        crash(directory, System.nanoTime(), 15, MULTI, "--redis.sharding.enabled=true", "--store.durability=always");
    }

    private static void crash(Path directory, long seed, int rounds, boolean asScript, String... options)
            throws Exception {
        Dice dice = new Dice(seed);
        List<Payer> payers = IntStream.range(0, WRITERS)
                .mapToObj(number -> new Payer(number, asScript))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (PolytableProcess server = PolytableProcess.start(directory, options)) {
            for (int round = 1; round <= rounds; round++) {
                long enough = acknowledged(payers) + dice.below(KILL_AFTER_TRANSACTIONS_MAX);
                List<Future<?>> running = new ArrayList<>();
                payers.forEach(payer -> running.add(threads.submit(() -> payer.payUntilLost(server))));
                Await.until(
                        "enough transactions are acknowledged",
                        () -> acknowledged(payers) >= enough || running.stream().anyMatch(Future::isDone));
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

    private static long acknowledged(List<Payer> payers) {
        return payers.stream().mapToLong(payer -> payer.acknowledged).sum();
    }

    /** The n-th transaction of a payer leaves n in keys of every type, in different shards; one of its commands fails. */
    private static final class Payer {
        private static final int KEPT = 10;
        private static final int FAILING = 0;
        private static final String FAR = "70000";

        /** Calls all commands, each given as the number of its words and these. */
        private static final String SCRIPT = """
                local i, replies = 1, {}
                while i <= #ARGV do
                    local last = i + tonumber(ARGV[i])
                    replies[#replies + 1] = redis.pcall(unpack(ARGV, i + 1, last))
                    i = last + 1
                end
                return replies""";

        private final int number;
        private final boolean asScript;
        private volatile long acknowledged;
        private long sent;

        Payer(int number, boolean asScript) {
            this.number = number;
            this.asScript = asScript;
        }

        private String key(String name) {
            return name + ":" + number;
        }

        private List<List<String>> commands(long n) {
            String value = Long.toString(n);
            return List.of(
                    List.of("INCRBY", key("string"), "no number"),
                    List.of("SET", key("string"), value),
                    List.of("HSET", key("hash"), "f", value),
                    List.of("ZADD", key("zset"), value, "m"),
                    List.of("DEL", key("gone")),
                    List.of("ZADD", key("gone"), value, "m"),
                    List.of("LPUSH", key("list"), value),
                    List.of("LTRIM", key("list"), "0", Integer.toString(KEPT - 1)),
                    List.of("SADD", key("set"), value),
                    List.of("SREM", key("set"), Long.toString(n - KEPT)),
                    List.of("SETRANGE", key("segments"), FAR, String.format("%09d", n)),
                    List.of("XADD", key("stream"), "MAXLEN", Integer.toString(KEPT), n + "-1", "f", value),
                    List.of("XREADGROUP", "GROUP", "g", "c", "STREAMS", key("stream"), ">"),
                    List.of("XACK", key("stream"), "g", (n - 1) + "-1"),
                    List.of("RENAME", key("set"), key("renamed")),
                    List.of("COPY", key("renamed"), key("set")));
        }

        private String transaction(long n) {
            if (asScript) {
                List<String> call = new ArrayList<>(List.of("EVAL", SCRIPT, "0"));
                for (List<String> words : commands(n)) {
                    call.add(Integer.toString(words.size()));
                    call.addAll(words);
                }
                return RespConnection.request(call);
            }
            StringBuilder bytes = new StringBuilder(RespConnection.request(List.of("MULTI")));
            commands(n).forEach(words -> bytes.append(RespConnection.request(words)));
            return bytes.append(RespConnection.request(List.of("EXEC"))).toString();
        }

        void payUntilLost(RespServer server) {
            try (RespConnection connection = server.connect()) {
                connection.call("XGROUP", "CREATE", key("stream"), "g", "0", "MKSTREAM");
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
                // The server was killed: the outcome of unacknowledged commands is unknown.
            }
        }

        private void acknowledge(RespConnection connection) {
            int commands = commands(0).size();
            for (int i = 0; !asScript && i < commands + 1; i++) {
                connection.read();
            }
            List<Resp> replies = connection.read().tree().items();
            boolean asMeant = replies.size() == commands;
            for (int i = 0; asMeant && i < commands; i++) {
                asMeant = replies.get(i).isError() == (i == FAILING);
            }
            if (!asMeant) {
                throw new AssertionError("The transaction was answered " + replies);
            }
            // Only this thread writes it.
            long before = acknowledged;
            acknowledged = before + 1;
        }

        void recover(RespServer server) {
            try (RespConnection connection = server.connect()) {
                long n = number(connection.call("GET", key("string")).tree());
                assertThat(n).isBetween(acknowledged, sent);
                for (List<String> question : List.of(
                        List.of("HGET", key("hash"), "f"),
                        List.of("ZSCORE", key("zset"), "m"),
                        List.of("ZSCORE", key("gone"), "m"),
                        List.of("LINDEX", key("list"), "0"),
                        List.of("GETRANGE", key("segments"), FAR, "-1"))) {
                    assertThat(number(connection.call(question).tree()))
                            .as("%s", question)
                            .isEqualTo(n);
                }
                long kept = Math.min(n, KEPT);
                for (String count : List.of("LLEN list", "SCARD set", "XLEN stream")) {
                    String[] words = count.split(" ", -1);
                    assertThat(connection.call(words[0], key(words[1])).tree().number())
                            .as(count)
                            .isEqualTo(kept);
                }
                assertThat(connection
                                .call("SISMEMBER", key("set"), Long.toString(n))
                                .tree()
                                .number())
                        .isEqualTo(Math.min(n, 1));
                if (n > 0) {
                    List<Resp> pending = connection
                            .call("XPENDING", key("stream"), "g")
                            .tree()
                            .items();
                    assertThat(pending.get(0).number()).isEqualTo(1);
                    assertThat(pending.get(1).text()).isEqualTo(n + "-1");
                }
                acknowledged = n;
                sent = n;
            }
        }

        private static long number(Resp reply) {
            return reply.isNull() || reply.text().isEmpty() ? 0 : Long.parseLong(reply.text());
        }
    }
}
