package io.polytable.store.state;

import org.rocksdb.ColumnFamilyHandle;

/** A family's handle in RocksDB, which is another one after the state was opened again. Read it only inside a use. */
public final class StateTable {
    private volatile ColumnFamilyHandle handle;

    StateTable(ColumnFamilyHandle handle) {
        this.handle = handle;
    }

    ColumnFamilyHandle handle() {
        return handle;
    }

    void rebind(ColumnFamilyHandle next) {
        handle = next;
    }

    int number() {
        return handle.getID();
    }
}
