package io.polytable.store.state;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handle of a column family, replaced when the state is reopened. Use it only inside {@link UseCount}. RocksDB
 * keeps the files of a dropped family until its handle is closed, so it is closed as soon as no cursor reads the
 * family.
 */
public final class StateTable {
    private static final Logger LOG = LoggerFactory.getLogger(StateTable.class);

    private final String name;
    private volatile ColumnFamilyHandle handle;
    private volatile int number;
    private volatile boolean closed;

    /** Open cursors. */
    private final AtomicInteger pins = new AtomicInteger();

    /** Whether rows of it failed their checksums. */
    private volatile boolean damaged;

    private final AtomicBoolean anyDamaged;

    /** @param anyDamaged set when this table is found to be damaged */
    StateTable(String name, ColumnFamilyHandle handle, AtomicBoolean anyDamaged) {
        this.name = name;
        this.handle = handle;
        this.anyDamaged = anyDamaged;
        number = handle.getID();
    }

    ColumnFamilyHandle handle() {
        if (closed) {
            throw new StoreException(StoreError.NO_SUCH_TABLE, "The table was dropped");
        }
        return handle;
    }

    /** Reads; remembers if the table's files are damaged there. */
    void check(State.Call read) {
        try {
            read.run();
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /** The error of a read; remembers if the table's files are damaged there. */
    StoreException failure(RocksDBException e) {
        StoreException failure = RocksFault.of(e);
        if (failure.error() != StoreError.CORRUPT) {
            return failure;
        }
        markDamaged();
        return new StoreException(
                StoreError.CORRUPT,
                "Rows of the table are damaged; run polytable check to find them",
                failure.facts(),
                e);
    }

    void markDamaged() {
        if (!damaged) {
            LOG.error(
                    "Rows of the table {} are damaged, and it is read-only from now on; run polytable check to find the file,"
                            + " and polytable repair --salvage with the server stopped",
                    name);
        }
        damaged = true;
        anyDamaged.set(true);
    }

    public boolean isDamaged() {
        return damaged;
    }

    void rebind(ColumnFamilyHandle next) {
        handle = next;
        number = next.getID();
    }

    int number() {
        return number;
    }

    /** Keeps the family readable until {@link #unpin}, even if it is dropped. */
    public void pin() {
        pins.incrementAndGet();
    }

    public void unpin() {
        pins.decrementAndGet();
    }

    boolean isPinned() {
        return pins.get() > 0;
    }

    /** Closes the handle of a dropped family, while no call is inside RocksDB. */
    void close() {
        closed = true;
        handle.close();
    }
}
