package io.polytable.server.assembly;

import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.table.TableStore;
import java.util.IdentityHashMap;

/**
 * The cell store over a store, shared by all frontends that keep cells: two cell stores over the same tables would not
 * share their row locks. It is closed when the last frontend releases it.
 */
final class SharedCells implements AutoCloseable {
    private static final IdentityHashMap<TableStore, Shared> OPEN = new IdentityHashMap<>();

    private static final class Shared {
        private final CellStore cells;
        private int users;

        Shared(CellStore cells) {
            this.cells = cells;
        }
    }

    private final TableStore store;
    private final CellStore cells;
    private boolean closed;

    private SharedCells(TableStore store, CellStore cells) {
        this.store = store;
        this.cells = cells;
    }

    static SharedCells over(TableStore store) {
        synchronized (OPEN) {
            Shared shared =
                    OPEN.computeIfAbsent(store, key -> new Shared(CellStore.open(key, CellStoreOptions.DEFAULT)));
            shared.users++;
            return new SharedCells(store, shared.cells);
        }
    }

    CellStore cells() {
        return cells;
    }

    @Override
    public void close() {
        synchronized (OPEN) {
            Shared shared = OPEN.get(store);
            if (closed || shared == null) {
                return;
            }
            closed = true;
            shared.users--;
            if (shared.users == 0) {
                OPEN.remove(store);
                shared.cells.close();
            }
        }
    }
}
