package io.polytable.redis.model;

import java.util.concurrent.atomic.AtomicLongArray;

/** How many keys each physical database has, expired ones that are still stored included, as Redis counts them. */
final class KeyCounts {
    private final AtomicLongArray counts = new AtomicLongArray(Databases.PHYSICAL_COUNT);

    void add(int db, long delta) {
        counts.addAndGet(db, delta);
    }

    long of(int db) {
        return counts.get(db);
    }
}
