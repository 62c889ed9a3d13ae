package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;

/**
 * A walk over stored cells in their order, delete markers and all. It starts before the first; every move answers
 * whether it stands on a cell now. Moves only go forward: a skip to a place that is not ahead stays where it is.
 */
public interface StoredCursor extends AutoCloseable {
    boolean next();

    /** To the first cell at or behind the position. */
    boolean seek(CellPosition position);

    /** To the first cell behind all versions of the current column. */
    boolean skipColumn();

    /** To the first cell behind the current row. */
    boolean skipRow();

    /** Whether it stands on a cell. */
    boolean isOnCell();

    Bytes row();

    Bytes family();

    Bytes qualifier();

    long timestamp();

    CellKind kind();

    /** The whole cell; only this reads the value. */
    Cell cell();

    @Override
    void close();
}
