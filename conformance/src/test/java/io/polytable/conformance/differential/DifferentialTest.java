package io.polytable.conformance.differential;

import io.polytable.conformance.history.HistoryWriter;
import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Seeded histories on our server and the reference, unsharded and sharded. */
@OnSharedServers
class DifferentialTest {
    private static final int STEPS = 500;
    private static final int SEEDS = 12;
    private static final int SEEDS_OF_SCRIPTS = 4;
    private static final int SEEDS_OF_PEERS = 2_000;

    private final HistoryWriter writer = new HistoryWriter();
    private RespServer reference;
    private RespServer single;
    private RespServer sharded;

    @BeforeAll
    void start(SharedServers servers) {
        reference = servers.of(Target.REFERENCE);
        single = servers.of(Target.POLYTABLE);
        sharded = servers.of(Target.POLYTABLE_SHARDED);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    static LongStream moreSeeds() {
        return LongStream.rangeClosed(SEEDS + 1, SEEDS_OF_PEERS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsTheReferenceDoes(long seed) {
        play(single, seed);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsTheReferenceDoesWhenSharded(long seed) {
        play(sharded, seed);
    }

    @ParameterizedTest
    @MethodSource("moreSeeds")
    @Tag("peers")
    void answersAsTheReferenceDoesForLong(long seed) {
        play(seed % 2 == 0 ? single : sharded, seed);
    }

    static LongStream scripts() {
        return LongStream.rangeClosed(1, SEEDS_OF_SCRIPTS);
    }

    static LongStream moreScripts() {
        return LongStream.rangeClosed(SEEDS_OF_SCRIPTS + 1, SEEDS_OF_PEERS);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void scriptsAnswerAsTheReferenceDoes(long seed) {
        playScripts(seed);
    }

    @ParameterizedTest
    @MethodSource("moreScripts")
    @Tag("peers")
    void scriptsAnswerAsTheReferenceDoesForLong(long seed) {
        playScripts(seed);
    }

    private void playScripts(long seed) {
        RespServer ours = seed % 2 == 0 ? single : sharded;
        Report.assertAlike(new Duel(reference, ours, new SevenTwo()), writer.writeScripts(seed, STEPS));
    }

    private void play(RespServer ours, long seed) {
        Report.assertAlike(new Duel(reference, ours, new SevenTwo()), writer.write(seed, STEPS));
    }
}
