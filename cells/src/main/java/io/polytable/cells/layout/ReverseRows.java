package io.polytable.cells.layout;

import io.polytable.table.Bytes;

/** A reverse cursor over rows. It starts behind the last row; close it. */
public interface ReverseRows extends AutoCloseable {
    /** Moves to the previous row. */
    boolean next();

    /** Moves to the last row at or before the key, which must be before the current row. */
    boolean seek(Bytes row);

    Bytes row();

    /** The row's cells in forward order, positioned on the first; valid until the next move. */
    StoredCursor cells();

    @Override
    void close();
}
