package io.polytable.store.state;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Dropped column families whose handles are still open because a cursor reads them. All methods but {@link #anyUnused}
 * under the state's lock.
 */
final class DroppedTables {
    /** Reads wait meanwhile, and what cannot be closed now can be closed later. */
    private static final Duration WAIT_MAX = Duration.ofMillis(20);

    private final UseCount uses;
    private final List<StateTable> tables = new CopyOnWriteArrayList<>();

    DroppedTables(UseCount uses) {
        this.uses = uses;
    }

    void add(StateTable table) {
        tables.add(table);
    }

    boolean anyUnused() {
        return tables.stream().anyMatch(table -> !table.isPinned());
    }

    /** Closes the handles of families that are no longer read, upon which RocksDB deletes their files. */
    void closeUnused() {
        if (!uses.isOpen() || !uses.shut(WAIT_MAX)) {
            return;
        }
        try {
            tables.removeIf(table -> {
                boolean unused = !table.isPinned();
                if (unused) {
                    table.close();
                }
                return unused;
            });
        } finally {
            uses.open();
        }
    }

    /** Call only while no call is inside RocksDB and none can enter before the state is open again. */
    void closeAll() {
        tables.forEach(StateTable::close);
        tables.clear();
    }
}
