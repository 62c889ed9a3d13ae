package io.polytable.table.testkit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What was opened and must be closed, each with the place where that happened. */
final class OpenThings {
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

    /** Fails, with one of the places as its cause, when something is still open. */
    void requireNone() {
        if (!openedAt.isEmpty()) {
            Throwable first = openedAt.values().iterator().next();
            int count = openedAt.size();
            openedAt.clear();
            throw new AssertionError(count + " cursors, snapshots or feeds were not closed", first);
        }
    }
}
