package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.history.Dice;
import io.polytable.conformance.process.PolytableProcess;
import io.polytable.table.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL at seeded times, while several connections write. */
class CrashTest {
    private static final int WRITERS = 4;

    /** The server is killed after so many acknowledged operations of all writers. */
    private static final int KILL_AFTER_OPERATIONS_MAX = 4_000;

    @Test
    void twoCrashes(@TempDir Path directory) throws Exception {
        crash(directory, 1, 2);
    }

    @Test
    void oneCrashSharded(@TempDir Path directory) throws Exception {
        crash(directory, 2, 1, "--redis.sharding.enabled=true");
    }

    @Test
    @Tag("crash")
    void fiftyCrashes(@TempDir Path directory) throws Exception {
        crash(directory, System.nanoTime(), 50);
    }

    @Test
    @Tag("crash")
    void twentyCrashesWithSyncedWrites(@TempDir Path directory) throws Exception {
        crash(directory, System.nanoTime(), 20, "--store.durability=always");
    }

    @Test
    @Tag("crash")
    void twentyCrashesSharded(@TempDir Path directory) throws Exception {
        crash(directory, System.nanoTime(), 20, "--redis.sharding.enabled=true");
    }

    private static void crash(Path directory, long seed, int rounds, String... options) throws Exception {
        Dice dice = new Dice(seed);
        List<Writer> writers = IntStream.range(0, WRITERS).mapToObj(Writer::new).toList();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (PolytableProcess server = PolytableProcess.start(directory, options)) {
            for (int round = 1; round <= rounds; round++) {
                writeAndKill(server, writers, threads, dice.below(KILL_AFTER_OPERATIONS_MAX));
                server.restart();
                for (Writer writer : writers) {
                    writer.recover(server);
                }
            }
            server.stop();
            server.check();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        } finally {
            threads.shutdownNow();
        }
        assertThat(writers)
                .allSatisfy(writer -> assertThat(writer.acknowledged()).isPositive());
    }

    private static long acknowledged(List<Writer> writers) {
        return writers.stream().mapToLong(Writer::acknowledged).sum();
    }

    private static void writeAndKill(
            PolytableProcess server, List<Writer> writers, ExecutorService threads, int operations)
            throws InterruptedException, ExecutionException, TimeoutException {
        long enough = acknowledged(writers) + operations;
        List<Future<?>> writing = new ArrayList<>();
        for (Writer writer : writers) {
            writing.add(threads.submit(() -> writer.writeUntilLost(server)));
        }
        Await.until(
                "enough operations are acknowledged",
                () -> acknowledged(writers) >= enough || writing.stream().anyMatch(Future::isDone));
        server.kill();
        for (Future<?> one : writing) {
            one.get(30, TimeUnit.SECONDS);
        }
    }
}
