package io.polytable.hbase.differential;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Seeded histories of every kind of call, on tables that keep versions and deleted cells in different ways. */
@Tag("peers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryTest {
    private static final int STEPS = 60;
    private static final long FIRST_SEED = Long.getLong("polytable.hbase.seed", 1);
    private static final long SEEDS = Long.getLong("polytable.hbase.seeds", 500);

    private Opponents opponents;
    private Duel duel;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        opponents = Opponents.in(directory).with(Schema.ALL);
        duel = opponents.duel();
    }

    @AfterAll
    void stop() throws IOException {
        opponents.close();
    }

    static LongStream seeds() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsHBaseDoes(long seed) throws IOException, InterruptedException {
        Schema schema = Schema.ALL.get((int) (seed % Schema.ALL.size()));
        duel.play(History.of(seed, schema, STEPS));
    }
}
