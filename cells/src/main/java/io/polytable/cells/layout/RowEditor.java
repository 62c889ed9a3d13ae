package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;

/**
 * Adds the changes of one row to a write set. The caller holds the row's stripe from creation until the set is
 * committed.
 */
public interface RowEditor {
    /** Stores the cell, replacing the one at its position. */
    void put(Cell cell);

    /** Removes the cell at the position, if any. */
    void remove(CellPosition position);

    /** Call after the last change. */
    void finish();
}
