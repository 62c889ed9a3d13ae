package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.Header;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The number of keys of each physical database (as in Redis including expired ones that are still stored), the number
 * of those with a deadline, and their average deadline. The counts are not stored, since every command would write the
 * row. The keys present at open are counted once on a snapshot, in the background or by the first caller; commits add
 * their changes.
 */
public final class KeyCounts implements AutoCloseable {
    /** Deadlines further away count as this far: ninety million of them still fit into the sum. */
    private static final long AHEAD_MILLIS_MAX = 100_000_000_000L;

    private final RedisTables tables;
    private final Lookups lookups = new Lookups();
    private final AtomicLongArray keys = new AtomicLongArray(Databases.PHYSICAL_COUNT);
    private final AtomicLongArray expiring = new AtomicLongArray(Databases.PHYSICAL_COUNT);
    private final AtomicLongArray deadlines = new AtomicLongArray(Databases.PHYSICAL_COUNT);

    /** Deadlines are summed relative to this moment, so that the sum stays small. */
    private final long sinceMillis = System.currentTimeMillis();

    private @Nullable Snapshot uncounted;
    private volatile boolean ready;

    /** The change that a unit of work makes to a database's counts. */
    static final class Delta {
        private long keys;
        private long expiring;
        private long deadlines;

        void keys(int more) {
            keys += more;
        }

        long keys() {
            return keys;
        }

        void set(Delta other) {
            keys = other.keys;
            expiring = other.expiring;
            deadlines = other.deadlines;
        }

        void clear() {
            keys = 0;
            expiring = 0;
            deadlines = 0;
        }
    }

    private KeyCounts(RedisTables tables, @Nullable Snapshot uncounted) {
        this.tables = tables;
        this.uncounted = uncounted;
        this.ready = uncounted == null;
    }

    /** Call this before anyone can commit. */
    static KeyCounts of(RedisTables tables) {
        return new KeyCounts(tables, tables.isNew() ? null : tables.store().snapshot());
    }

    Lookups lookups() {
        return lookups;
    }

    /** Counts a changed, added or removed deadline of a key. */
    void moveDeadline(Delta delta, long from, long to) {
        count(delta, from, -1);
        count(delta, to, 1);
    }

    private void count(Delta delta, long deadlineMillis, int sign) {
        if (deadlineMillis != Header.NEVER) {
            long ahead = Math.min(deadlineMillis, Long.MAX_VALUE / 2) - sinceMillis;
            delta.expiring += sign;
            delta.deadlines += sign * Math.max(-AHEAD_MILLIS_MAX, Math.min(AHEAD_MILLIS_MAX, ahead));
        }
    }

    /** Counts a key that a repair removed. */
    public void remove(int db, Header gone) {
        Delta delta = new Delta();
        delta.keys(-1);
        count(delta, gone.expireAt(), -1);
        add(db, delta);
    }

    void add(int db, Delta delta) {
        keys.addAndGet(db, delta.keys);
        if (delta.expiring != 0 || delta.deadlines != 0) {
            expiring.addAndGet(db, delta.expiring);
            deadlines.addAndGet(db, delta.deadlines);
        }
    }

    /** The number of keys. Waits until the keys present at open are counted. */
    long of(int db) {
        complete();
        return keys.get(db);
    }

    /** The number of keys with a deadline. */
    long expiring(int db) {
        complete();
        return Math.max(0, expiring.get(db));
    }

    /** The average time to live of the keys with a deadline. */
    long averageLifeMillis(int db, long nowMillis) {
        long count = expiring(db);
        return count == 0 ? 0 : Math.max(0, deadlines.get(db) / count + sinceMillis - nowMillis);
    }

    /** Whether {@link #of} answers without counting first. */
    public boolean isReady() {
        return ready;
    }

    /** Sets the counts to zero: the database's rows were deleted as a range. */
    public void reset(int db) {
        complete();
        keys.set(db, 0);
        expiring.set(db, 0);
        deadlines.set(db, 0);
    }

    public void complete() {
        if (!ready) {
            count();
        }
    }

    private synchronized void count() {
        Snapshot snapshot = uncounted;
        if (snapshot == null) {
            return;
        }
        Delta[] found = new Delta[Databases.PHYSICAL_COUNT];
        for (int db = 0; db < found.length; db++) {
            found[db] = new Delta();
        }
        for (int part = 0; part < tables.partCount(); part++) {
            try (Cursor rows = snapshot.scan(tables.keys(part), KeyRange.ALL)) {
                while (rows.next()) {
                    Delta delta = found[rows.keySlice().at(0) & 0xff];
                    delta.keys++;
                    ByteSlice value = rows.valueSlice();
                    count(delta, deadline(Bytes.of(value.array(), value.offset(), value.length())), 1);
                }
            }
        }
        for (int db = 0; db < found.length; db++) {
            add(db, found[db]);
        }
        close();
    }

    /** Reads only the deadline, since the rest may be damaged: {@code check} reports that. */
    private static long deadline(Bytes row) {
        boolean expires = row.length() > Long.BYTES && (row.at(0) & Header.HAS_DEADLINE) != 0;
        return expires ? BigEndian.longAt(row, 1) : Header.NEVER;
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
