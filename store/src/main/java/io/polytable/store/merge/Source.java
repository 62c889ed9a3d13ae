package io.polytable.store.merge;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;

/**
 * A sorted input of a {@link MergeCursor}: the rows of a range in key order, one per key, deletes included. It starts
 * before the first row. Keys and values stay valid; slices only until the next step.
 */
public interface Source extends AutoCloseable {
    boolean next();

    /**
     * Moves to the first row at the key or beyond it, in the source's direction. Allowed only before the first step, or
     * with a key ahead of the current row.
     */
    boolean seek(Bytes key);

    Bytes key();

    ByteSlice keySlice();

    /** Whether the row is a delete. */
    boolean isDelete();

    Bytes value();

    ByteSlice valueSlice();

    @Override
    void close();
}
