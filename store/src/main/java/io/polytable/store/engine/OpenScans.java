package io.polytable.store.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open cursors over snapshots, so that idle ones can release the buffers and files of the state that they hold. */
final class OpenScans {
    private final Set<ScanCursor> cursors = ConcurrentHashMap.newKeySet();

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
