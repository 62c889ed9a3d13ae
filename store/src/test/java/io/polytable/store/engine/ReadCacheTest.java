package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that reads bring into memory, while nothing is written that would make the applier look after the budget. */
class ReadCacheTest {
    private static final int ROWS = 300_000;
    private static final int AT_ONCE = 500;
    private static final long BUDGET_BYTES = 2 << 20;

    /** What grows: a chunk of rows and lists beside it, the log's chunk, the index. */
    private static final long BEYOND_BYTES_MAX = 4 << 20;

    @TempDir
    private Path directory;

    private Engine engine;
    private Table table;

    @BeforeEach
    void fillState() {
        EngineOptions options =
                EngineOptions.DEFAULT.withMemory(BUDGET_BYTES, 64 << 20).withGenerations(1 << 20, Duration.ZERO);
        engine = new EngineFixture(directory.resolve("data")).open(options);
        table = engine.create(EngineFixture.spec("t"));
        for (int i = 0; i < ROWS; i += AT_ONCE) {
            Batch batch = new Batch();
            keys(i).forEach(key -> batch.put(table, key, Bytes.utf8("v")));
            engine.commit(batch);
        }
        engine.settle();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static List<RowKey> keys(int from) {
        return IntStream.range(from, from + AT_ONCE)
                .mapToObj(i -> RowKey.whole(Bytes.utf8("k" + i)))
                .toList();
    }

    private long memoryBytes() {
        return engine.statistics().values().getOrDefault("memory_bytes", Long.MAX_VALUE);
    }

    @Test
    void readsOfSmallRowsStayWithinTheBudget() {
        for (int i = 0; i < ROWS; i += AT_ONCE) {
            keys(i).forEach(key -> assertThat(engine.read(table, key)).isPresent());
        }
        assertThat(memoryBytes()).isLessThan(BUDGET_BYTES + BEYOND_BYTES_MAX);
    }

    @Test
    void readsOfManyRowsAtOnceStayWithinTheBudget() {
        for (int i = 0; i < ROWS; i += AT_ONCE) {
            assertThat(engine.readMany(table, keys(i))).hasSize(AT_ONCE).allMatch(row -> row.isPresent());
        }
        assertThat(memoryBytes()).isLessThan(BUDGET_BYTES + BEYOND_BYTES_MAX);
    }

    @Test
    void readsOfManyLargeRowsAtOnceStayWithinTheBudget() {
        int rows = 4_000;
        Bytes large = Bytes.of(new byte[16 << 10]);
        for (int i = 0; i < rows; i += AT_ONCE) {
            // A row a commit: the log's chunk stays in memory and has room for the largest one.
            for (RowKey key : keys(i)) {
                Batch batch = new Batch();
                batch.put(table, key, large);
                engine.commit(batch);
            }
        }
        engine.settle();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < rows; i += AT_ONCE) {
                assertThat(engine.readMany(table, keys(i))).hasSize(AT_ONCE).allMatch(row -> row.isPresent());
            }
        }
        assertThat(memoryBytes()).isLessThan(BUDGET_BYTES + BEYOND_BYTES_MAX);
    }
}
