package io.polytable.redis.wire;

import io.polytable.redis.command.config.ClientBudget;

/** One connection's share of the {@link ClientBudget} of all. */
final class ClientShare {
    private final ClientBudget budget;
    private long bytes;

    ClientShare(ClientBudget budget) {
        this.budget = budget;
    }

    /** Sets the share. If the budget is exceeded, drops the whole share and returns false. */
    boolean hold(long heldBytes) {
        if (heldBytes == bytes) {
            return true;
        }
        boolean fits = budget.change(heldBytes - bytes);
        bytes = heldBytes;
        if (!fits) {
            // Immediately, not when the channel is closed: otherwise the other connections of this turn would be closed
            // too.
            release();
        }
        return fits;
    }

    /** As {@link #hold}, but keeps the previous share when there is no room for more. */
    boolean extendTo(long heldBytes) {
        if (!budget.change(heldBytes - bytes)) {
            budget.change(bytes - heldBytes);
            return false;
        }
        bytes = heldBytes;
        return true;
    }

    /** Sets the share to bytes that are held already, whether or not the budget has room. */
    void set(long heldBytes) {
        if (heldBytes != bytes) {
            budget.change(heldBytes - bytes);
            bytes = heldBytes;
        }
    }

    /** Whether more than half of the budget is used. */
    boolean isScarce() {
        return budget.isScarce();
    }

    long bytes() {
        return bytes;
    }

    void release() {
        budget.change(-bytes);
        bytes = 0;
    }
}
