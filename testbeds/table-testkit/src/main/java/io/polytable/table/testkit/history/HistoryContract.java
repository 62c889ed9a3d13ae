package io.polytable.table.testkit.history;

import io.polytable.table.TableStore;
import io.polytable.table.testkit.CheckedStore;
import io.polytable.table.testkit.FaultPlan;
import io.polytable.table.testkit.FaultyStore;
import io.polytable.table.testkit.Retries;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories on any store. A failure prints the seed and the shortest history found; {@code -Dpolytable.seed=N} runs
 * that seed alone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class HistoryContract {
    private static final int FAULT_ONE_IN = 12;

    /** Opens the store of the directory, which is empty at first. */
    protected abstract TableStore open(Path directory);

    /** Whether rows survive close and reopen. */
    protected boolean isPersistent() {
        return true;
    }

    /** An action without a visible effect, such as flushing the last opened store's rows to disk. */
    protected void settle() {
        // Nothing, unless the store has something.
    }

    protected int seedCount() {
        return 20;
    }

    protected int stepCount() {
        return 400;
    }

    LongStream seeds() {
        Long only = Long.getLong("polytable.seed");
        return only == null ? LongStream.rangeClosed(1, seedCount()) : LongStream.of(only);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsTheOracleDoes(long seed, @TempDir Path directory) {
        require(seed, directory, () -> store -> store);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsTheOracleDoesWithFaultsInBetween(long seed, @TempDir Path directory) {
        require(seed, directory, () -> {
            FaultPlan plan = FaultPlan.seeded(seed, FAULT_ONE_IN);
            return store -> Retries.around(new FaultyStore(store, plan));
        });
    }

    /** Wrappers are created again for each run, so that a reduced history sees the same faults from the start. */
    private void require(long seed, Path root, Supplier<UnaryOperator<TableStore>> wraps) {
        AtomicInteger runs = new AtomicInteger();
        Comparison comparison = steps -> {
            Path directory = root.resolve("run-" + runs.incrementAndGet());
            UnaryOperator<TableStore> wrap = wraps.get();
            return Comparison.compare(steps, () -> new CheckedStore(wrap.apply(open(directory))), this::settle);
        };
        List<Step> steps = new Workload(seed, isPersistent()).steps(stepCount());
        comparison.require("seed " + seed, steps);
    }
}
