package io.polytable.hbase.wire;

import java.time.Duration;

/** Detects a stalled transfer in one direction of a connection. */
final class StallTimer {
    private final long nanosMax;
    private long movedNanos = System.nanoTime();
    private long progress;

    StallTimer(Duration max) {
        nanosMax = max.toNanos();
    }

    /** Whether a transfer has been in progress for too long without moving. */
    boolean isTooLong(boolean underWay, long progressNow) {
        long now = System.nanoTime();
        if (!underWay || progressNow != progress) {
            progress = progressNow;
            movedNanos = now;
        }
        return now - movedNanos >= nanosMax;
    }
}
