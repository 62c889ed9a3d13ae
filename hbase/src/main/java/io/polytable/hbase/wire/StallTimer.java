package io.polytable.hbase.wire;

import java.time.Duration;

/** Tells of one direction of a connection how long that which is under way has not moved. */
final class StallTimer {
    private final long nanosMax;
    private long movedNanos = System.nanoTime();
    private long progress;

    StallTimer(Duration max) {
        nanosMax = max.toNanos();
    }

    /** Whether something has been under way for too long since it was last seen to move. */
    boolean isTooLong(boolean underWay, long progressNow) {
        long now = System.nanoTime();
        if (!underWay || progressNow != progress) {
            progress = progressNow;
            movedNanos = now;
        }
        return now - movedNanos >= nanosMax;
    }
}
