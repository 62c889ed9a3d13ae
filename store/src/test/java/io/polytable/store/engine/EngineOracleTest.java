package io.polytable.store.engine;

import io.polytable.store.EmbeddedStore;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.history.HistoryContract;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The kit's random histories on the engine: several tables, snapshots and cursors kept open, a follower of the feed,
 * tables dropped and created again, restarts, rows moved to the state, and injected faults. A failure comes reduced.
 */
class EngineOracleTest extends HistoryContract {
    private Optional<Engine> opened = Optional.empty();
    private int opens;

    @Override
    protected TableStore open(Path directory) {
        // In turn: rows stay in memory until they are settled, and rows go to the state as soon as they can.
        EngineOptions options =
                opens++ % 2 == 0 ? EngineFixture.lazy() : EngineFixture.eager().withMemory(0, 64 << 20);
        Engine engine = EmbeddedStore.open(directory, options, EngineFixture.LOG);
        opened = Optional.of(engine);
        return engine;
    }

    @Override
    protected void settle() {
        opened.orElseThrow().settle();
    }

    @Override
    protected int seedCount() {
        return Integer.getInteger("polytable.seeds", 3);
    }
}
