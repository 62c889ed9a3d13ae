package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;

/**
 * A cursor over all stored cells in order, including delete markers. It starts before the first; every move returns
 * whether it is on a cell now. It only moves forward: a seek to a position that is not ahead does nothing.
 */
public interface StoredCursor extends AutoCloseable {
    boolean next();

    /** Moves to the first cell at or after the position. */
    boolean seek(CellPosition position);

    /** Moves behind all versions of the current column. */
    boolean skipColumn();

    /** Moves behind the current row. */
    boolean skipRow();

    boolean isOnCell();

    Bytes row();

    Bytes family();

    Bytes qualifier();

    long timestamp();

    CellKind kind();

    /** The current cell; only this reads the value. */
    Cell cell();

    @Override
    void close();
}
