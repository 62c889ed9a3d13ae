package io.polytable.store.state;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The open iterators and snapshots of RocksDB: native objects that stay open between calls, some for hours. They must
 * be closed before the database, so closing the state closes them, and later uses are refused.
 */
final class OpenHandles {
    private static final long PAUSE_NANOS = 100_000;

    private final Set<Handle> open = ConcurrentHashMap.newKeySet();

    interface Handle {
        /** Closes the native object, once, and removes it from here; from any thread. */
        void close();

        /** As {@link #close}, against the will of its user, who gets {@link StoreError#POSITION_EXPIRED} from now on. */
        void giveUp();
    }

    static StoreException givenUp() {
        return new StoreException(
                StoreError.POSITION_EXPIRED, "The snapshot was given up, so that the state could be reopened");
    }

    void add(Handle handle) {
        open.add(handle);
    }

    void remove(Handle handle) {
        open.remove(handle);
    }

    /** Waits until none is open; false on timeout. */
    boolean awaitNone(Duration most) {
        long deadline = System.nanoTime() + most.toNanos();
        while (!open.isEmpty()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    void closeAll() {
        open.forEach(Handle::close);
    }

    void giveUpAll() {
        open.forEach(Handle::giveUp);
    }
}
