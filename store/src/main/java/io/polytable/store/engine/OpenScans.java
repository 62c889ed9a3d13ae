package io.polytable.store.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The open cursors over snapshots, so that idle ones can release the buffers and files of the state that they hold. */
final class OpenScans {
    private final Set<ScanCursor> cursors = ConcurrentHashMap.newKeySet();
    private final LongSupplier nanoTime;

    /** @param nanoTime the clock by which cursors get old */
    OpenScans(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    void add(ScanCursor cursor) {
        cursors.add(cursor);
    }

    void remove(ScanCursor cursor) {
        cursors.remove(cursor);
    }

    void releaseIdle() {
        for (ScanCursor cursor : cursors) {
            if (cursor.isOld()) {
                cursor.releaseIfIdle();
            }
        }
    }
}
