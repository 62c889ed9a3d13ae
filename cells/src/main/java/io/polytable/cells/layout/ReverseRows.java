package io.polytable.cells.layout;

import io.polytable.table.Bytes;

/** A walk over rows from the last to the first. It starts behind the last; close it. */
public interface ReverseRows extends AutoCloseable {
    /** To the row before this one. */
    boolean next();

    /** To the last row at or before the key, which is before the current one. */
    boolean seek(Bytes row);

    Bytes row();

    /** The cells of the row, in their order and on the first of them; good until the next move. */
    StoredCursor cells();

    @Override
    void close();
}
