package io.polytable.cells.request;

import io.polytable.cells.Cell;
import java.util.List;

/**
 * The result of a row write.
 *
 * @param applied false if its condition did not hold
 * @param cells the new cells of its increments and appends, in order, if the write asked for them
 */
public record WriteResult(boolean applied, List<Cell> cells) {
    public static final WriteResult APPLIED = new WriteResult(true, List.of());
    public static final WriteResult NOT_APPLIED = new WriteResult(false, List.of());

    public WriteResult {
        cells = List.copyOf(cells);
    }
}
