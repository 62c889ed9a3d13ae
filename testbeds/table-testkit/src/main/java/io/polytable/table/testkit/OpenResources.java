package io.polytable.table.testkit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The open resources, each with the stack trace of its opening. */
final class OpenResources {
    private final Map<Object, Throwable> openedAt = new ConcurrentHashMap<>();

    void opened(Object thing) {
        openedAt.put(thing, new Throwable("opened here: " + thing.getClass().getSimpleName()));
    }

    void closed(Object thing) {
        openedAt.remove(thing);
    }

    int count() {
        return openedAt.size();
    }

    /** Fails if a resource is still open, with its stack trace as the cause. */
    void requireNone() {
        if (!openedAt.isEmpty()) {
            Throwable first = openedAt.values().iterator().next();
            int count = openedAt.size();
            openedAt.clear();
            throw new AssertionError(count + " cursors, snapshots or feeds were not closed", first);
        }
    }
}
