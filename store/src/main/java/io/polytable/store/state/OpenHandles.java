package io.polytable.store.state;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Iterators and snapshots of RocksDB: native objects that stay open between calls, some for hours. The database must not be
 * closed before them, so closing the state closes them too, and whoever uses one afterwards is refused.
 */
final class OpenHandles {
    private static final long PAUSE_NANOS = 100_000;

    private final Set<Handle> open = ConcurrentHashMap.newKeySet();

    /** What is open. */
    interface Handle {
        /** Closes it natively, once, and takes it out of here; from any thread. */
        void close();
    }

    void add(Handle handle) {
        open.add(handle);
    }

    /** It is closed natively. */
    void remove(Handle handle) {
        open.remove(handle);
    }

    /** Waits until none is open; false when some stay open for so long. */
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
}
