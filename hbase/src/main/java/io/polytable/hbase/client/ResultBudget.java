package io.polytable.hbase.client;

import io.polytable.cells.CellRow;

/** How much the results of one call may still take. One call, one thread. */
final class ResultBudget {
    private long left;

    ResultBudget(long bytes) {
        left = bytes;
    }

    void spend(CellRow row) {
        left -= row.memoryBytes();
    }

    long left() {
        return left;
    }

    boolean isUsedUp() {
        return left <= 0;
    }
}
