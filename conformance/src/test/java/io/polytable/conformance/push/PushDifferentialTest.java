package io.polytable.conformance.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import io.polytable.conformance.resp.RespConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Seeded histories of several connections on our server and the reference: all replies and pushes are equal. */
@OnSharedServers
class PushDifferentialTest {
    private static final int STEPS = 250;
    private static final int SEEDS = 4;
    private static final int SEEDS_OF_PEERS = Integer.getInteger("polytable.seeds", 500);

    private RespServer reference;
    private RespServer ours;
    private Set<String> known;

    @BeforeAll
    void start(SharedServers servers) {
        reference = servers.of(Target.REFERENCE);
        ours = servers.of(Target.POLYTABLE);
        try (RespConnection connection = ours.connect()) {
            known = new HashSet<>(connection.call("COMMAND", "LIST").tree().texts());
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    static LongStream moreSeeds() {
        return LongStream.rangeClosed(SEEDS + 1, SEEDS_OF_PEERS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void channels(long seed) {
        play(seed, new PushHistories(seed, known).ofChannels(STEPS));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void notifications(long seed) {
        play(seed, new PushHistories(seed, known).ofNotifications(STEPS));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void tracking(long seed) {
        play(seed, new PushHistories(seed, known).ofTracking(STEPS));
    }

    @ParameterizedTest
    @MethodSource("moreSeeds")
    @Tag("peers")
    void all(long seed) {
        channels(seed);
        notifications(seed);
        tracking(seed);
    }

    private void play(long seed, List<Move> moves) {
        empty(reference);
        empty(ours);
        try (Party theirs = new Party(reference, PushHistories.CONNECTIONS);
                Party mine = new Party(ours, PushHistories.CONNECTIONS)) {
            for (int i = 0; i < moves.size(); i++) {
                Move move = moves.get(i);
                List<Heard> expected = play(theirs, move);
                List<Heard> given = play(mine, move);
                assertThat(given)
                        .as("seed %d, step %d, %s, after %s", seed, i, move, moves.subList(Math.max(0, i - 40), i))
                        .isEqualTo(expected);
            }
        }
    }

    private static List<Heard> play(Party party, Move move) {
        if (move.commands().isEmpty()) {
            party.reconnect(move.connection());
        } else {
            party.send(move.connection(), move.commands());
        }
        return party.hear(move.connection(), move.unordered());
    }

    private static void empty(RespServer server) {
        try (RespConnection connection = server.connect()) {
            connection.call("FLUSHALL");
            connection.call("CONFIG", "SET", "notify-keyspace-events", "");
        }
    }
}
