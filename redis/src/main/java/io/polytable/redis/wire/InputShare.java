package io.polytable.redis.wire;

/** What one connection holds of the {@link InputBudget} of all. */
final class InputShare {
    private final InputBudget budget;
    private long bytes;

    InputShare(InputBudget budget) {
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

    void release() {
        budget.change(-bytes);
        bytes = 0;
    }
}
