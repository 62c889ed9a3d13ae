package io.polytable.redis.model.keyspace;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much all commands that run at the same time may take out of the store. What they read becomes their replies, and
 * those must fit on the heap: a client that asks for more gets an error, and the server lives on.
 */
final class ReadBudget {
    /** Of the heap. */
    private static final int SHARE = 6;

    private final long bytesMax;
    private final AtomicLong takenBytes = new AtomicLong();

    ReadBudget() {
        this(Runtime.getRuntime().maxMemory() / SHARE);
    }

    ReadBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes so much more; false, and nothing is taken, when that is more than there is. */
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
