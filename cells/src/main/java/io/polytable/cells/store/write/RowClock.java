package io.polytable.cells.store.write;

import io.polytable.table.Bytes;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Assigns the timestamps of writes, monotonic per row whatever the clock does. A delete covers everything that got its
 * timestamp before it, and never a later put. Two puts in the same millisecond may share a timestamp; then the later
 * one replaces the earlier, as in HBase.
 *
 * <p>Each slot serves the rows of one stripe that hash to it; the caller holds the stripe. A put right after a delete
 * of its row gets a timestamp one millisecond ahead of the clock. If that happens repeatedly, the writer releases the
 * stripe and waits, rather than run far ahead of the clock.
 */
final class RowClock {
    /** How often a writer waits before it proceeds anyway: the clock may stand still, as in tests. */
    static final int WAITS_MAX = 10;

    private static final int LEAD_MILLIS_MAX = 5;

    /**
     * A fast counter runs ahead of the clock, as in HBase. Beyond this lead the slot no longer follows, since other
     * rows share it.
     */
    private static final long FOLLOWED_MILLIS_MAX = 1000;

    private static final int PLACES_PER_STRIPE = 64;
    private static final int MIX = 0x85EBCA6B;

    private final InstantSource clock;
    private final long[] last;
    private final long[] lastDelete;

    /** The latest delete of all rows. It is mostly in the past, and then a put need not look at its row's slot. */
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
     * Reports a counter's timestamp, which is one after its previous cell's. If that one was assigned here too, the
     * row's clock follows, so that later writes are not older. A timestamp chosen by a client must not move the clock
     * of other rows in the slot.
     */
    void follow(int stripe, Bytes row, long time) {
        int place = place(stripe, row);
        if (time == last[place] + 1 && time <= clock.millis() + FOLLOWED_MILLIS_MAX) {
            last[place] = time;
        }
    }

    /**
     * Whether alternating deletes and puts have moved the row so far ahead of the clock that the next write should
     * wait.
     */
    boolean isAhead(int stripe, Bytes row, long nowMillis) {
        long late = nowMillis + LEAD_MILLIS_MAX;
        return newestDelete.get() > late && lastDelete[place(stripe, row)] > late;
    }

    /** Waits a millisecond, with no stripe held. */
    static void await() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
}
