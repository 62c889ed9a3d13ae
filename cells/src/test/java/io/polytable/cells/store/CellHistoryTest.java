package io.polytable.cells.store;

import io.polytable.table.testkit.ManualClock;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories on both stores, compared with the plainest thing that could be right. */
class CellHistoryTest {
    @TempDir
    Path directory;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 6);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsTheOracleDoesInMemory(long seed) {
        ManualClock clock = new ManualClock();
        try (OpenStores stores = OpenStores.inMemory(clock)) {
            run(seed, stores, clock, 8, 100);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsTheOracleDoesOnTheEngine(long seed) {
        ManualClock clock = new ManualClock();
        try (OpenStores stores = OpenStores.onEngine(directory, clock)) {
            run(seed + 1000, stores, clock, 3, 150);
        }
    }

    private static void run(long seed, OpenStores stores, ManualClock clock, int restarts, int steps) {
        CellHistory history = new CellHistory(seed, stores.cells(), clock);
        for (int i = 0; i < restarts; i++) {
            history.run(steps);
            stores.reopen();
            history.reopened(stores.cells());
        }
    }
}
