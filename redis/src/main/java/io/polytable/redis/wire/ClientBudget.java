package io.polytable.redis.wire;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The bytes that all connections together hold: of requests not yet complete or not yet run, or of replies not yet taken.
 * Each client has its own limit; this one is for many clients, none of which holds much.
 */
final class ClientBudget {
    private final LongSupplier bytesMax;
    private final AtomicLong heldBytes = new AtomicLong();

    ClientBudget(LongSupplier bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Someone holds so much more, or less; false when that is more than there may be. */
    boolean change(long bytes) {
        return heldBytes.addAndGet(bytes) <= bytesMax.getAsLong() || bytes <= 0;
    }

    /** Whether more than half is held. */
    boolean isScarce() {
        return heldBytes.get() > bytesMax.getAsLong() / 2;
    }

    long heldBytes() {
        return heldBytes.get();
    }
}
