package io.polytable.redis.model.keyspace;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all running commands together may use for rows they have read. These rows become replies, which must
 * fit on the heap: a client that asks for more gets an error, and the server stays up.
 */
final class ReadBudget {
    /** One part in so many of the heap. */
    private static final int SHARE = 6;

    private final long bytesMax;
    private final AtomicLong takenBytes = new AtomicLong();

    ReadBudget() {
        this(Runtime.getRuntime().maxMemory() / SHARE);
    }

    ReadBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes bytes from the budget; takes nothing and answers false when too few are left. */
    boolean take(long bytes) {
        if (takenBytes.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        takenBytes.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        takenBytes.addAndGet(-bytes);
    }

    long left() {
        return bytesMax - takenBytes.get();
    }
}
