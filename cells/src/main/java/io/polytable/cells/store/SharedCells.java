package io.polytable.cells.store;

import io.polytable.table.TableStore;
import java.util.IdentityHashMap;

/**
 * The cell store over a store, shared by all frontends of a server that keep cells: two cell stores over the same tables
 * would not share their row locks. It is opened for the first of them, and closed when the last one releases it.
 */
public final class SharedCells {
    private final IdentityHashMap<TableStore, Shared> open = new IdentityHashMap<>();

    private static final class Shared {
        private final CellStore cells;
        private int users;

        Shared(CellStore cells) {
            this.cells = cells;
        }
    }

    /** The cell store, until closed. */
    public final class Lease implements AutoCloseable {
        private final TableStore store;
        private final CellStore cells;
        private boolean closed;

        private Lease(TableStore store, CellStore cells) {
            this.store = store;
            this.cells = cells;
        }

        public CellStore cells() {
            return cells;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                release(store);
            }
        }
    }

    public synchronized Lease over(TableStore store) {
        Shared shared = open.computeIfAbsent(store, key -> new Shared(CellStore.open(key, CellStoreOptions.DEFAULT)));
        shared.users++;
        return new Lease(store, shared.cells);
    }

    private synchronized void release(TableStore store) {
        Shared shared = open.get(store);
        if (shared != null && --shared.users == 0) {
            open.remove(store);
            shared.cells.close();
        }
    }
}
