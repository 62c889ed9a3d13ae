package io.polytable.conformance.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.PolytableProcess;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import io.polytable.table.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Concurrent clients on the same keys, also across a SIGKILL: their replies are linearizable. */
@OnSharedServers
class LinearizabilityTest {
    private static final int ROUNDS = 6;
    private static final int CALLS = 250;
    private static final int CRASHES = Integer.getInteger("polytable.crashes", 20);
    private static final int CALLS_PER_LIFE = 400;

    /** Fewer than all clients make in a life, so that the server dies while they call. */
    private static final int KILL_AFTER_CALLS_MAX = CALLS_PER_LIFE;

    @ParameterizedTest
    @EnumSource(
            value = Target.class,
            names = {"POLYTABLE", "POLYTABLE_SHARDED"})
    void singleKeysAndTransactions(Target target, SharedServers servers) throws Exception {
        long seed = System.nanoTime();
        try (Clients clients = new Clients(servers.of(target), seed)) {
            for (int round = 0; round < ROUNDS; round++) {
                clients.call(CALLS, round, () -> {});
            }
            check(clients.histories(), seed);
        }
    }

    /** Keys live through two deaths of the server, so that calls without an answer stay few. */
    @Test
    @Tag("crash")
    void acrossCrashes(@TempDir Path directory) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (PolytableProcess server = PolytableProcess.start(directory);
                Clients clients = new Clients(server, seed)) {
            for (int crash = 0; crash < CRASHES; crash++) {
                long enough = clients.calls() + random.nextInt(KILL_AFTER_CALLS_MAX);
                clients.call(CALLS_PER_LIFE, crash / 2, () -> {
                    Await.until("enough calls are made", () -> clients.calls() >= enough);
                    server.kill();
                });
                server.restart();
                clients.call(CALLS / 5, crash / 2, () -> {});
            }
            check(clients.histories(), seed);
            server.stop();
            server.check();
        }
    }

    private static void check(Map<String, List<Operation>> histories, long seed) {
        assertThat(histories).isNotEmpty();
        histories.forEach((key, calls) -> assertThat(
                        Checker.isLinearizable(Workload.kindOf(key).model(), calls))
                .as("seed %d, key %s: %s", seed, key, calls)
                .isTrue());
        assertThat(histories.values().stream().flatMap(List::stream).filter(Operation::isAnswered))
                .hasSizeGreaterThan(100);
    }
}
