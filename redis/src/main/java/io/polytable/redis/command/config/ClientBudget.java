package io.polytable.redis.command.config;

import io.polytable.redis.model.RedisError;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The memory budget of all connections together: requests that are incomplete or not yet executed, keys watched and
 * awaited, or replies not yet read. Each client also has its own limit; this one protects against many clients, none of
 * which uses much.
 */
public final class ClientBudget {
    private final LongSupplier bytesMax;
    private final AtomicLong heldBytes = new AtomicLong();

    public ClientBudget(LongSupplier bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Adds to the used bytes, or subtracts; false when an addition exceeds the budget. It is counted nevertheless. */
    public boolean change(long bytes) {
        return heldBytes.addAndGet(bytes) <= bytesMax.getAsLong() || bytes <= 0;
    }

    /**
     * Reserves the bytes, or nothing.
     *
     * @param what begins the error text: what there is no room for
     * @throws RedisError when the budget would be exceeded
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

    /** Whether more than half of the budget is used. */
    public boolean isScarce() {
        return heldBytes.get() > bytesMax.getAsLong() / 2;
    }

    public long heldBytes() {
        return heldBytes.get();
    }
}
