package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.RedisPeer;
import io.polytable.redis.wire.InterleavedScript.Move;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seven connections taking turns with transactions, watched keys and blocked calls, here and on a real server: every reply is
 * the same, on the same connection, after the same move.
 */
@Tag("peers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterleavingTest {
    private static final int MOVES = 200;
    private static final int SHOWN_MOVES = 40;
    private static final int SEEDS = Integer.getInteger("polytable.seeds", 100);

    private RedisPeer reference;
    private FaceUnderTest single;
    private FaceUnderTest sharded;
    private Set<String> known;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        Program.REDIS_SERVER.require();
        reference = RedisPeer.start(directory);
        RedisOptions twoLoops = FaceUnderTest.ONE_LOOP.withThreads(2);
        single = new FaceUnderTest(new MemoryStore(), twoLoops);
        sharded = new FaceUnderTest(new MemoryStore(), twoLoops.withShards(4));
        known = single.face().commands().commands().stream().map(Command::name).collect(Collectors.toSet());
    }

    @AfterAll
    void stop() throws IOException {
        if (reference != null) {
            sharded.close();
            single.close();
            reference.close();
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everybodyIsAnsweredAsByRedis(long seed) {
        play(seed);
    }

    private void play(long seed) {
        FaceUnderTest face = seed % 3 == 0 ? sharded : single;
        List<Move> script = InterleavedScript.write(seed, MOVES, known);
        try (InterleavedParty theirs = new InterleavedParty(reference.port(), InterleavedScript.CONNECTIONS);
                InterleavedParty ours = new InterleavedParty(face.face().port(), InterleavedScript.CONNECTIONS)) {
            for (int i = 0; i < script.size(); i++) {
                String where = "seed " + seed + ", after " + script.subList(Math.max(0, i - SHOWN_MOVES), i + 1);
                List<String> expected = theirs.play(script.get(i), where);
                assertThat(ours.play(script.get(i), where)).as(where).isEqualTo(expected);
            }
        }
    }
}
