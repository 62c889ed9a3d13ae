package io.polytable.redis.wire;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of mail that wait for their event loops to deliver them. Beyond its bound, whoever makes more is held back. */
final class MailBudget {
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
