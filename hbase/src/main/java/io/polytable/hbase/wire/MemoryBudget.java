package io.polytable.hbase.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A memory budget: for requests from arrival to response, or for responses until they are sent. The two are separate:
 * responses wait for clients to read them, and calls must not wait for that.
 */
final class MemoryBudget {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    MemoryBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** Takes the bytes unless that would exceed the budget. */
    boolean tryTake(long bytes) {
        if (used.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        release(bytes);
        return false;
    }

    /**
     * Takes the bytes unless the budget is exceeded already: so even something larger than the budget gets its turn.
     */
    boolean takeUnlessFull(long bytes) {
        if (used.getAndAdd(bytes) <= bytesMax) {
            return true;
        }
        release(bytes);
        return false;
    }

    /** Takes the bytes unconditionally, for memory that is already allocated. */
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
