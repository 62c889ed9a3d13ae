package io.polytable.redis.wire;

import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all connections together hold of things they are told unasked. Mail that waits for its event loop holds back whoever
 * makes more; unsent bytes in the outputs cannot hold anybody back, so beyond their bound a connection that reads too
 * slowly is closed, whatever its own limit allows.
 */
final class MailBudget {
    private static final long POSTED_BYTES_MAX = 32 << 20;

    /** Of the memory for network buffers. */
    private static final int UNSENT_SHARE = 2;

    private final long unsentBytesMax;
    private final AtomicLong postedBytes = new AtomicLong();
    private final AtomicLong unsentBytes = new AtomicLong();

    MailBudget() {
        this(PlatformDependent.maxDirectMemory() / UNSENT_SHARE);
    }

    MailBudget(long unsentBytesMax) {
        this.unsentBytesMax = unsentBytesMax;
    }

    void posted(long bytes) {
        postedBytes.addAndGet(bytes);
    }

    void delivered(long bytes) {
        postedBytes.addAndGet(-bytes);
    }

    /** Whether more should wait until loops have delivered some. */
    boolean isFull() {
        return postedBytes.get() > POSTED_BYTES_MAX;
    }

    /** A connection holds so much more unsent, or less; false when that is more than there may be. */
    boolean change(long bytes) {
        return unsentBytes.addAndGet(bytes) <= unsentBytesMax || bytes <= 0;
    }
}
