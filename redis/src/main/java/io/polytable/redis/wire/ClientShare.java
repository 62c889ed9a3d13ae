package io.polytable.redis.wire;

import io.polytable.redis.command.config.ClientBudget;

/** What one connection holds of the {@link ClientBudget} of all. */
final class ClientShare {
    private final ClientBudget budget;
    private long bytes;

    ClientShare(ClientBudget budget) {
        this.budget = budget;
    }

    /** Holds so much from now on; false when all together hold too much. Then this one holds nothing any more. */
    boolean hold(long heldBytes) {
        if (heldBytes == bytes) {
            return true;
        }
        boolean fits = budget.change(heldBytes - bytes);
        bytes = heldBytes;
        if (!fits) {
            // Returned at once, not when the channel is gone: otherwise the others of this turn would be closed too.
            release();
        }
        return fits;
    }

    /** As {@link #hold}, but this one goes on holding what it held when there is no room for more. */
    boolean extendTo(long heldBytes) {
        if (!budget.change(heldBytes - bytes)) {
            budget.change(bytes - heldBytes);
            return false;
        }
        bytes = heldBytes;
        return true;
    }

    /** Whether all together hold more than half of what they may. */
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
