package io.polytable.store.fluss;

import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * How long this owner may believe that it is the owner. Whoever wants the log next waits until the bucket's offset has not
 * moved for the lease's time, by its own clock. So the owner counts from when it sent the last write that was
 * acknowledged, which is earlier, and needs no clock in common with anybody.
 */
final class Lease {
    private final long nanos;
    private volatile long renewedNanos;

    Lease(Duration time) {
        nanos = time.toNanos();
        renewedNanos = System.nanoTime();
    }

    /** A write sent then was acknowledged as expected. */
    void renewed(long sentNanos) {
        renewedNanos = sentNanos;
    }

    boolean isHeld() {
        return System.nanoTime() - renewedNanos < nanos;
    }

    /** Nanoseconds until a write should be made for the lease's sake. */
    long dueInNanos() {
        return renewedNanos + nanos / 3 - System.nanoTime();
    }

    /**
     * What is written in the table about the owner. It may be out of date, when a former owner wrote it late: it is
     * believed only if its epoch is the last one claimed.
     */
    record Note(long epoch, long owner, boolean held, long millis) {
        private static final int BYTES = 4 * Long.BYTES;

        byte[] encode() {
            return ByteBuffer.allocate(BYTES)
                    .putLong(epoch)
                    .putLong(owner)
                    .putLong(held ? 1 : 0)
                    .putLong(millis)
                    .array();
        }

        static Note decode(byte[] bytes) {
            ByteBuffer from = ByteBuffer.wrap(bytes);
            return new Note(from.getLong(), from.getLong(), from.getLong() == 1, from.getLong());
        }
    }
}
