package io.polytable.store.memory;

import io.polytable.table.Bytes;

/**
 * Rows of a range in key order, one a key, some of them deletes: what a {@link MergeCursor} merges. It starts before the
 * first row.
 */
public interface Source extends AutoCloseable {
    boolean next();

    Bytes key();

    /** Whether the row says that the key has no row. */
    boolean isDelete();

    Bytes value();

    @Override
    void close();
}
