package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.differential.KeySpaceDump;
import io.polytable.conformance.history.History;
import io.polytable.conformance.history.HistoryWriter;
import io.polytable.conformance.history.Step;
import io.polytable.conformance.process.PolytableProcess;
import io.polytable.conformance.resp.RespConnection;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A random history leaves keys of all kinds; stopping, killing and restarting changes none of them. */
class RestartTest {
    private static final int STEPS = 1_000;

    @ParameterizedTest
    @ValueSource(strings = {"--redis.sharding.enabled=false", "--redis.sharding.enabled=true"})
    void keepsEveryKeyOverRestarts(String mode, @TempDir Path directory) {
        try (PolytableProcess server = PolytableProcess.start(directory, mode)) {
            play(server, new HistoryWriter().write(4, STEPS));
            String before = KeySpaceDump.of(server);
            server.restart();
            assertThat(KeySpaceDump.of(server)).as("after a stop").isEqualTo(before);
            play(server, new HistoryWriter().write(5, STEPS));
            String later = KeySpaceDump.of(server);
            server.kill();
            server.restart();
            assertThat(KeySpaceDump.of(server)).as("after a kill").isEqualTo(later);
            server.stop();
            server.check();
        }
    }

    /** Recovery alone writes nothing that the next recovery could stumble over. */
    @Test
    @Tag("crash")
    void keepsEveryKeyWhenKilledBeforeItWrote(@TempDir Path directory) {
        try (PolytableProcess server = PolytableProcess.start(directory)) {
            play(server, new HistoryWriter().write(4, STEPS));
            String before = KeySpaceDump.of(server);
            for (int life = 0; life < 3; life++) {
                server.kill();
                server.restart();
                assertThat(KeySpaceDump.of(server)).as("after kill %d", life).isEqualTo(before);
            }
            server.stop();
            server.check();
        }
    }

    /** Only the single commands: nothing here compares, and nothing may be about to expire. */
    private static void play(PolytableProcess server, History history) {
        try (RespConnection connection = server.connect()) {
            for (Step step : history.steps()) {
                if (step instanceof Step.Call call && !call.words().get(0).equalsIgnoreCase("HELLO")) {
                    connection.call(call.words());
                }
            }
        }
    }
}
