package io.polytable.store.merge;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;

/**
 * Rows of a range in key order, one a key, some of them deletes: what a {@link MergeCursor} merges. It starts before the
 * first row. Keys and values stay valid, slices until the next step.
 */
public interface Source extends AutoCloseable {
    boolean next();

    /**
     * Moves on to the first row at the key or beyond it, in the source's direction. Only before the first step, or with a
     * key that lies ahead of the present row.
     */
    boolean seek(Bytes key);

    Bytes key();

    ByteSlice keySlice();

    /** Whether the row says that the key has no row. */
    boolean isDelete();

    Bytes value();

    ByteSlice valueSlice();

    @Override
    void close();
}
