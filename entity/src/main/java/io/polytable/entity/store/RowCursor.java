package io.polytable.entity.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A running scan. Not thread safe; close it. */
public interface RowCursor extends AutoCloseable {
    /** The next rows, at most so many, at least one; none at the end. */
    List<StoredRow> next(int rows);

    /** As {@link #next}, without blocking the caller on a network. */
    default CompletableFuture<List<StoredRow>> nextAsync(int rows) {
        return CompletableFuture.completedFuture(next(rows));
    }

    @Override
    void close();
}
