package io.polytable.store.state;

import org.rocksdb.ColumnFamilyHandle;

/** A family as RocksDB knows it while the state is open. */
public final class StateTable {
    private final String family;
    private final ColumnFamilyHandle handle;

    StateTable(String family, ColumnFamilyHandle handle) {
        this.family = family;
        this.handle = handle;
    }

    String family() {
        return family;
    }

    ColumnFamilyHandle handle() {
        return handle;
    }

    int number() {
        return handle.getID();
    }
}
