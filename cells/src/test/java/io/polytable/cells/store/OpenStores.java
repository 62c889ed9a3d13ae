package io.polytable.cells.store;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.CheckedStore;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/** A cell store over a table store, opened again at will: in memory the tables stay, on the engine they come from disk. */
public final class OpenStores implements AutoCloseable {
    private final Supplier<TableStore> opening;
    private final boolean reopens;
    private final CellStoreOptions options;
    private TableStore tables;
    private CellStore cells;

    private OpenStores(Supplier<TableStore> opening, boolean reopens, CellStoreOptions options) {
        this.opening = opening;
        this.reopens = reopens;
        this.options = options;
        tables = opening.get();
        cells = CellStore.open(tables, options);
    }

    static OpenStores inMemory(InstantSource clock) {
        return new OpenStores(() -> new CheckedStore(new MemoryStore()), false, options(clock));
    }

    public static OpenStores onEngine(Path directory, InstantSource clock) {
        EngineOptions small =
                EngineOptions.DEFAULT.withMemory(8 << 20, 8 << 20).withGenerations(64 << 10, Duration.ofMillis(50));
        FileLogOptions log = FileLogOptions.defaults().withSegmentBytes(1 << 20);
        return new OpenStores(() -> EmbeddedStore.open(directory, small, log), true, options(clock));
    }

    private static CellStoreOptions options(InstantSource clock) {
        return CellStoreOptions.DEFAULT.withClock(clock).withoutBackground();
    }

    public CellStore cells() {
        return cells;
    }

    CellStore tableCells() {
        return cells;
    }

    TableStore tables() {
        return tables;
    }

    void reopen() {
        cells.close();
        if (reopens) {
            tables.close();
            tables = opening.get();
        }
        cells = CellStore.open(tables, options);
    }

    @Override
    public void close() {
        cells.close();
        tables.close();
    }
}
