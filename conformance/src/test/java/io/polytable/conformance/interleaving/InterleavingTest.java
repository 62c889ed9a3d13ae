package io.polytable.conformance.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.RedisServerProcess;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.Target;
import io.polytable.conformance.resp.RespConnection;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Seeded scripts of seven connections on our server and the reference: every reply is the same, on the same connection. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterleavingTest {
    private static final int MOVES = 200;
    private static final int SEEDS = 8;
    private static final int SEEDS_OF_PEERS = 500;

    private RespServer reference;
    private RespServer single;
    private RespServer sharded;
    private Set<String> known;

    @BeforeAll
    void start(@TempDir Path directory) {
        reference = RedisServerProcess.start(directory.resolve("reference"));
        single = Target.POLYTABLE.start(directory.resolve("single"));
        sharded = Target.POLYTABLE_SHARDED.start(directory.resolve("sharded"));
        try (RespConnection connection = single.connect()) {
            known = new HashSet<>(connection.call("COMMAND", "LIST").tree().texts());
        }
    }

    @AfterAll
    void stop() {
        sharded.close();
        single.close();
        reference.close();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    static LongStream moreSeeds() {
        return LongStream.rangeClosed(SEEDS + 1, SEEDS_OF_PEERS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everybodyIsAnsweredAsByTheReference(long seed) {
        play(seed % 3 == 0 ? sharded : single, seed);
    }

    @ParameterizedTest
    @MethodSource("moreSeeds")
    @Tag("peers")
    void everybodyIsAnsweredAsByTheReferenceForLong(long seed) {
        play(seed % 3 == 0 ? sharded : single, seed);
    }

    private void play(RespServer ours, long seed) {
        List<Move> script = Script.write(seed, MOVES, known);
        try (Party theirs = new Party(reference, Script.CONNECTIONS);
                Party own = new Party(ours, Script.CONNECTIONS)) {
            for (int i = 0; i < script.size(); i++) {
                int move = i;
                assertThat(own.play(script.get(i)))
                        .as(() -> "seed " + seed + ", after " + script.subList(Math.max(0, move - 40), move + 1))
                        .isEqualTo(theirs.play(script.get(i)));
            }
        }
    }
}
