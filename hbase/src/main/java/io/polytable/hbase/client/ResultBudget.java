package io.polytable.hbase.client;

import io.polytable.cells.CellRow;
import java.util.concurrent.atomic.AtomicLong;

/** How much the results of one call may still take. */
final class ResultBudget {
    private final AtomicLong left;

    ResultBudget(long bytes) {
        left = new AtomicLong(bytes);
    }

    void spend(CellRow row) {
        left.addAndGet(-row.memoryBytes());
    }

    long left() {
        return left.get();
    }

    /** For whoever spends it himself. */
    AtomicLong shared() {
        return left;
    }

    boolean isUsedUp() {
        return left() <= 0;
    }
}
