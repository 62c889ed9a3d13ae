package io.polytable.hbase.client;

import io.polytable.cells.Cell;
import java.util.List;

/** How much the results of one call may still take. One call, one thread. */
final class ResultBudget {
    private long left;

    ResultBudget(long bytes) {
        left = bytes;
    }

    void spend(List<Cell> cells) {
        for (Cell cell : cells) {
            left -= cell.sizeBytes();
        }
    }

    boolean isUsedUp() {
        return left <= 0;
    }
}
