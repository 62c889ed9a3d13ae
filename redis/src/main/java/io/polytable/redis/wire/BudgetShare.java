package io.polytable.redis.wire;

/** What one connection holds of a budget that all share. */
final class BudgetShare {
    private final Budget budget;
    private long bytes;

    /** Counts what all hold. */
    interface Budget {
        /** One holds so much more, or less; false when that is more than all may hold. */
        boolean change(long bytes);
    }

    BudgetShare(Budget budget) {
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
