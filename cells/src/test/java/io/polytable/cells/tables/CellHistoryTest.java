package io.polytable.cells.tables;

import io.polytable.cells.CellLayout;
import io.polytable.cells.store.CellHistory;
import io.polytable.table.testkit.ManualClock;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories on both layouts and both stores, compared with the plainest thing that could be right. */
class CellHistoryTest {
    @TempDir
    Path directory;

    static Stream<Arguments> histories() {
        return Stream.of(CellLayout.values())
                .flatMap(layout -> Stream.iterate(1L, seed -> seed <= 6, seed -> seed + 1)
                        .map(seed -> Arguments.of(layout, seed)));
    }

    @ParameterizedTest
    @MethodSource("histories")
    void answersAsTheOracleDoesInMemory(CellLayout layout, long seed) {
        ManualClock clock = new ManualClock();
        try (OpenStores stores = OpenStores.inMemory(clock)) {
            run(seed, layout, stores, clock, 8, 100);
        }
    }

    @ParameterizedTest
    @MethodSource("histories")
    void answersAsTheOracleDoesOnTheEngine(CellLayout layout, long seed) {
        ManualClock clock = new ManualClock();
        try (OpenStores stores = OpenStores.onEngine(directory, clock)) {
            run(seed + 1000, layout, stores, clock, 3, 150);
        }
    }

    private static void run(
            long seed, CellLayout layout, OpenStores stores, ManualClock clock, int restarts, int steps) {
        CellHistory history = new CellHistory(seed, layout, stores.cells(), clock);
        for (int i = 0; i < restarts; i++) {
            history.run(steps);
            stores.reopen();
            history.reopened(stores.cells());
        }
    }
}
