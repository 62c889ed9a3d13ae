package io.polytable.hbase.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on the bytes that requests hold from their arrival to their answer, or that answers hold until they are sent. The
 * two are counted apart: answers wait for clients to read them, and calls must not wait for that.
 */
final class CallMemory {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    CallMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** Takes the bytes unless that would pass the bound. */
    boolean tryTake(long bytes) {
        if (used.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        release(bytes);
        return false;
    }

    /** Takes the bytes unless the bound is passed already: what is larger than the bound gets its turn, too. */
    boolean takeUnlessFull(long bytes) {
        if (used.getAndAdd(bytes) <= bytesMax) {
            return true;
        }
        release(bytes);
        return false;
    }

    /** Takes what is there already. */
    void take(long bytes) {
        used.addAndGet(bytes);
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
    }

    boolean isFull() {
        return used.get() > bytesMax;
    }

    long used() {
        return used.get();
    }
}
