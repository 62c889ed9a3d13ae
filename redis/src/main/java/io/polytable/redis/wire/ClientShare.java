package io.polytable.redis.wire;

import io.polytable.frontend.limit.Budget;

/** One connection's share of the {@link Budget} of all. */
final class ClientShare {
    private final Budget budget;
    private long bytes;

    ClientShare(Budget budget) {
        this.budget = budget;
    }

    /** Sets the share. If the budget is exceeded, drops the whole share and returns false. */
    boolean hold(long heldBytes) {
        if (heldBytes == bytes) {
            return true;
        }
        boolean fits = extendTo(heldBytes);
        if (!fits) {
            // Immediately, not when the channel is closed: otherwise the other connections of this turn would be closed
            // too.
            release();
        }
        return fits;
    }

    /** As {@link #hold}, but keeps the previous share when there is no space for more. */
    boolean extendTo(long heldBytes) {
        if (heldBytes > bytes && !budget.tryTake(heldBytes - bytes)) {
            return false;
        }
        if (heldBytes < bytes) {
            budget.release(bytes - heldBytes);
        }
        bytes = heldBytes;
        return true;
    }

    /** Sets the share to bytes that are held already, whether or not the budget has space. */
    void set(long heldBytes) {
        if (heldBytes > bytes) {
            budget.take(heldBytes - bytes);
        } else if (heldBytes < bytes) {
            budget.release(bytes - heldBytes);
        }
        bytes = heldBytes;
    }

    /** Whether more than half of the budget is used. */
    boolean isScarce() {
        return budget.isScarce();
    }

    long bytes() {
        return bytes;
    }

    void release() {
        budget.release(bytes);
        bytes = 0;
    }
}
