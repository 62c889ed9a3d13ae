package io.polytable.cells.tables;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The timestamps that the store gives to writes, sensible for each row whatever the clock does: they never go back, a
 * delete covers everything that got its timestamp before it, and a later put is never covered by an earlier delete. Two
 * puts of the same millisecond may share a timestamp; then the later one replaces the earlier, as in HBase.
 *
 * <p>It is kept by stripe, so rows that share one share it; the caller holds the stripe. A put right after a delete is a
 * millisecond later than the clock. Where that happens over and over it waits rather than run far ahead of the clock.
 */
final class RowClock {
    private static final long LEAD_MILLIS_MAX = 1000;

    private final InstantSource clock;
    private final long[] last;
    private final long[] lastDelete;

    RowClock(InstantSource clock, int stripes) {
        this.clock = clock;
        last = new long[stripes];
        lastDelete = new long[stripes];
    }

    long now() {
        return clock.millis();
    }

    /** The timestamp of a write. */
    long tick(int stripe, boolean puts, boolean deletes) {
        long time = Math.max(clock.millis(), last[stripe]);
        if (puts && time <= lastDelete[stripe]) {
            time = lastDelete[stripe] + 1;
            waitFor(time - LEAD_MILLIS_MAX);
        }
        last[stripe] = time;
        if (deletes) {
            lastDelete[stripe] = time;
        }
        return time;
    }

    /**
     * Tells of a counter's timestamp, which is one behind that of the cell before it: where the store gave that one too, later
     * writes are not older. A timestamp that somebody chose must not take the other rows of the stripe along.
     */
    void follow(int stripe, long time) {
        if (time == last[stripe] + 1 && time <= clock.millis() + LEAD_MILLIS_MAX) {
            last[stripe] = time;
        }
    }

    private void waitFor(long millis) {
        // A clock that stands still, as in tests, would be waited for in vain: bounded.
        for (int tries = 0; clock.millis() < millis && tries < LEAD_MILLIS_MAX; tries++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
