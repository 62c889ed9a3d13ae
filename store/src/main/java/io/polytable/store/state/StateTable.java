package io.polytable.store.state;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.ColumnFamilyHandle;

/**
 * A family's handle in RocksDB, which is another one after the state was opened again. Read it only inside a use. RocksDB
 * keeps a dropped family's files until its handle is closed, so that happens as soon as nobody reads the family any more.
 */
public final class StateTable {
    private volatile ColumnFamilyHandle handle;
    private volatile int number;
    private volatile boolean closed;

    /** Cursors, which come back to the family for more. */
    private final AtomicInteger pins = new AtomicInteger();

    StateTable(ColumnFamilyHandle handle) {
        this.handle = handle;
        number = handle.getID();
    }

    ColumnFamilyHandle handle() {
        if (closed) {
            throw new StoreException(StoreError.NO_SUCH_TABLE, "The table was dropped");
        }
        return handle;
    }

    void rebind(ColumnFamilyHandle next) {
        handle = next;
        number = next.getID();
    }

    int number() {
        return number;
    }

    /** Until {@link #unpin}, the family can be read also when it is dropped meanwhile. */
    public void pin() {
        pins.incrementAndGet();
    }

    public void unpin() {
        pins.decrementAndGet();
    }

    boolean isPinned() {
        return pins.get() > 0;
    }

    /** The family was dropped. Called while nobody is inside a use. */
    void close() {
        closed = true;
        handle.close();
    }
}
