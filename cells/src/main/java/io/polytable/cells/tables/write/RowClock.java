package io.polytable.cells.tables.write;

import io.polytable.table.Bytes;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The timestamps that the store gives to writes, sensible for each row whatever the clock does: they never go back, a
 * delete covers everything that got its timestamp before it, and a later put is never covered by an earlier delete. Two
 * puts of the same millisecond may share a timestamp; then the later one replaces the earlier, as in HBase.
 *
 * <p>It is kept for a row, or for a few that share a place here, all of one stripe; the caller holds the stripe. A put right
 * after a delete of its row is a millisecond later than the clock. Where that happens over and over, the writer lets the
 * stripe go and waits rather than run far ahead of the clock.
 */
final class RowClock {
    /** How often a writer waits before it goes on all the same: the clock may stand still, as in tests. */
    static final int WAITS_MAX = 10;

    private static final int LEAD_MILLIS_MAX = 5;

    /** A counter that counts fast is ahead of the clock, as in HBase. Only its own row must follow. */
    private static final long FOLLOWED_MILLIS_MAX = 1000;

    private static final int PLACES_PER_STRIPE = 64;
    private static final int MIX = 0x85EBCA6B;

    private final InstantSource clock;
    private final long[] last;
    private final long[] lastDelete;

    /** At least as late as every delete: while that is past, and it mostly is, a put need not look for those of its row. */
    private final AtomicLong newestDelete = new AtomicLong();

    RowClock(InstantSource clock, int stripes) {
        this.clock = clock;
        last = new long[stripes * PLACES_PER_STRIPE];
        lastDelete = new long[stripes * PLACES_PER_STRIPE];
    }

    private static int place(int stripe, Bytes row) {
        return stripe * PLACES_PER_STRIPE + ((row.hashCode() * MIX) >>> 16) % PLACES_PER_STRIPE;
    }

    long now() {
        return clock.millis();
    }

    /** The timestamp of a write. */
    long tick(int stripe, Bytes row, long nowMillis, boolean puts, boolean deletes) {
        int place = place(stripe, row);
        long time = Math.max(nowMillis, last[place]);
        if (puts && time <= newestDelete.get() && time <= lastDelete[place]) {
            time = lastDelete[place] + 1;
        }
        last[place] = time;
        if (deletes) {
            newestDelete.accumulateAndGet(time, Math::max);
            lastDelete[place] = time;
        }
        return time;
    }

    /**
     * Tells of a counter's timestamp, which is one behind that of the cell before it: where the store gave that one too, later
     * writes are not older. A timestamp that somebody chose must not take other rows along.
     */
    void follow(int stripe, Bytes row, long time) {
        int place = place(stripe, row);
        if (time == last[place] + 1 && time <= clock.millis() + FOLLOWED_MILLIS_MAX) {
            last[place] = time;
        }
    }

    /** Whether deletes and puts of the row have taken its time so far ahead that the next write should wait. */
    boolean isAhead(int stripe, Bytes row, long nowMillis) {
        long late = nowMillis + LEAD_MILLIS_MAX;
        return newestDelete.get() > late && lastDelete[place(stripe, row)] > late;
    }

    /** Waits a millisecond, with no stripe held. */
    static void await() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
}
