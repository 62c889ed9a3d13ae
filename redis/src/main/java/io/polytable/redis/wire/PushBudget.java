package io.polytable.redis.wire;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of push messages that wait for delivery by their event loops. Beyond the limit, requests are held back. */
final class PushBudget {
    private static final long BYTES_MAX = 32 << 20;

    private final AtomicLong heldBytes = new AtomicLong();

    void posted(long bytes) {
        heldBytes.addAndGet(bytes);
    }

    void delivered(long bytes) {
        heldBytes.addAndGet(-bytes);
    }

    boolean isFull() {
        return heldBytes.get() > BYTES_MAX;
    }
}
