package io.polytable.redis.command.config;

import io.polytable.redis.model.RedisError;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The bytes that all connections together hold: of requests not yet complete or not yet run, of keys watched and waited for,
 * or of replies not yet taken. Each client has its own limit; this one is for many clients, none of which holds much.
 */
public final class ClientBudget {
    private final LongSupplier bytesMax;
    private final AtomicLong heldBytes = new AtomicLong();

    public ClientBudget(LongSupplier bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Someone holds so much more, or less; false when that is more than there may be. */
    public boolean change(long bytes) {
        return heldBytes.addAndGet(bytes) <= bytesMax.getAsLong() || bytes <= 0;
    }

    /**
     * Takes so much, or nothing.
     *
     * @param what for the client, who is told what there is no room for
     * @throws RedisError when all together would hold more than they may
     */
    public void take(long bytes, String what) {
        long held = heldBytes.get();
        while (held + bytes <= bytesMax.getAsLong()) {
            if (heldBytes.compareAndSet(held, held + bytes)) {
                return;
            }
            held = heldBytes.get();
        }
        throw new RedisError(
                RedisError.Code.OOM,
                what + ": all clients together hold more than maxmemory-clients, or the heap, allows");
    }

    /** Whether more than half is held. */
    public boolean isScarce() {
        return heldBytes.get() > bytesMax.getAsLong() / 2;
    }

    public long heldBytes() {
        return heldBytes.get();
    }
}
