package io.polytable.redis.model;

import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * How many keys each physical database has, expired ones that are still stored included, as Redis counts them. They are
 * not stored: a count row would be written by every command. What was there at open is counted once on a snapshot, in
 * the background or by the first who asks; what came and went since is added as it is committed.
 */
final class KeyCounts implements AutoCloseable {
    private final RedisTables tables;
    private final AtomicLongArray counts = new AtomicLongArray(Databases.PHYSICAL_COUNT);
    private @Nullable Snapshot uncounted;
    private volatile boolean ready;

    private KeyCounts(RedisTables tables, @Nullable Snapshot uncounted) {
        this.tables = tables;
        this.uncounted = uncounted;
        this.ready = uncounted == null;
    }

    /** Made before anyone can commit. */
    static KeyCounts of(RedisTables tables) {
        return new KeyCounts(tables, tables.isNew() ? null : tables.store().snapshot());
    }

    void add(int db, long delta) {
        counts.addAndGet(db, delta);
    }

    /** Waits until what was there at open is counted. */
    long of(int db) {
        complete();
        return counts.get(db);
    }

    /** Whether {@link #of} answers at once. */
    boolean isReady() {
        return ready;
    }

    /** The database's rows are gone without having been counted one by one. */
    void reset(int db) {
        complete();
        counts.set(db, 0);
    }

    void complete() {
        if (!ready) {
            count();
        }
    }

    private synchronized void count() {
        Snapshot snapshot = uncounted;
        if (snapshot == null) {
            return;
        }
        long[] found = new long[Databases.PHYSICAL_COUNT];
        for (int part = 0; part < tables.partCount(); part++) {
            try (Cursor rows = snapshot.scan(tables.keys(part), KeyRange.ALL)) {
                while (rows.next()) {
                    found[rows.key().at(0) & 0xff]++;
                }
            }
        }
        for (int db = 0; db < found.length; db++) {
            counts.addAndGet(db, found[db]);
        }
        close();
    }

    @Override
    public synchronized void close() {
        Snapshot snapshot = uncounted;
        if (snapshot != null) {
            uncounted = null;
            ready = true;
            snapshot.close();
        }
    }
}
