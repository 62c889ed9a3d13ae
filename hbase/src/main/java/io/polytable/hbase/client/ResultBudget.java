package io.polytable.hbase.client;

import io.polytable.cells.CellRow;
import java.util.concurrent.atomic.AtomicLong;

/** The remaining byte budget for the results of one call. */
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

    /** The counter itself, for code that deducts from it. */
    AtomicLong shared() {
        return left;
    }

    boolean isUsedUp() {
        return left() <= 0;
    }
}
