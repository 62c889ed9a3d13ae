package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;

/** Puts the changes of one row into a write set. The row's stripe is held from before it is made until the set is committed. */
public interface RowEditor {
    /** Stores the cell in place of what stands at its position. */
    void put(Cell cell);

    /** Takes out what stands at the position, if anything. */
    void remove(CellPosition position);

    /** All changes are said. */
    void finish();
}
