package io.polytable.entity.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A scan under way. One thread at a time; close it. */
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
