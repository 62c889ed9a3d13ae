package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Rows that reads bring into memory, while nothing is written that would make the applier look after the budget. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadCacheTest {
    private static final int ROWS = 200_000;
    private static final int AT_ONCE = 500;

    /** The index keeps the size that it needed for fresh rows, of which there are more the slower the applier is. */
    private static final int SETTLED_ROWS = 20_000;

    private static final long BUDGET_BYTES = 2 << 20;

    /** What grows: a chunk of rows and lists beside it, the log's chunk, the index. */
    private static final long BEYOND_BYTES_MAX = 4 << 20;

    /** With small rows, which two tests only read. */
    private Engine engine;

    private Table table;

    @BeforeAll
    void fillState(@TempDir Path directory) {
        engine = open(directory);
        table = engine.create(EngineFixture.spec("t"));
        for (int i = 0; i < ROWS; i += AT_ONCE) {
            Batch batch = new Batch();
            keys(i).forEach(key -> batch.put(table, key, Bytes.utf8("v")));
            engine.commit(batch);
            if (i % SETTLED_ROWS == 0) {
                engine.settle();
            }
        }
        engine.settle();
    }

    private static Engine open(Path directory) {
        return new EngineFixture(directory.resolve("data"))
                .open(EngineOptions.DEFAULT
                        .withMemory(BUDGET_BYTES, 64 << 20)
                        .withGenerations(1 << 20, Duration.ZERO)
                        .withTiming(EngineFixture.QUICK));
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private static List<RowKey> keys(int from) {
        return IntStream.range(from, from + AT_ONCE)
                .mapToObj(i -> RowKey.whole(Bytes.utf8("k" + i)))
                .toList();
    }

    private static long memoryBytes(Engine measured) {
        return measured.statistics().values().getOrDefault("memory_bytes", Long.MAX_VALUE);
    }

    @Test
    void readsOfSmallRowsStayWithinTheBudget() {
        for (int i = 0; i < ROWS; i += AT_ONCE) {
            keys(i).forEach(key -> assertThat(engine.read(table, key)).isPresent());
        }
        assertThat(memoryBytes(engine)).isLessThan(BUDGET_BYTES + BEYOND_BYTES_MAX);
    }

    @Test
    void readsOfManyRowsAtOnceStayWithinTheBudget() {
        for (int i = 0; i < ROWS; i += AT_ONCE) {
            assertThat(engine.readMany(table, keys(i))).hasSize(AT_ONCE).allMatch(row -> row.isPresent());
        }
        assertThat(memoryBytes(engine)).isLessThan(BUDGET_BYTES + BEYOND_BYTES_MAX);
    }

    @Test
    void readsOfManyLargeRowsAtOnceStayWithinTheBudget(@TempDir Path directory) {
        Engine own = open(directory);
        Table largeRows = own.create(EngineFixture.spec("t"));
        int rows = 2_000;
        Bytes large = Bytes.of(new byte[16 << 10]);
        for (int i = 0; i < rows; i += AT_ONCE) {
            // A row a commit: the log's chunk stays in memory and has space for the largest one.
            for (RowKey key : keys(i)) {
                Batch batch = new Batch();
                batch.put(largeRows, key, large);
                own.commit(batch);
            }
        }
        own.settle();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < rows; i += AT_ONCE) {
                assertThat(own.readMany(largeRows, keys(i))).hasSize(AT_ONCE).allMatch(row -> row.isPresent());
            }
        }
        assertThat(memoryBytes(own)).isLessThan(BUDGET_BYTES + BEYOND_BYTES_MAX);
        own.close();
    }
}
