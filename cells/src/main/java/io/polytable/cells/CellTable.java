package io.polytable.cells;

import io.polytable.table.TableName;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A table of cells: (row, family, qualifier, timestamp) to value, newest version first.
 *
 * <p>A write is visible to the next read on any thread before its future completes; the future completes when the write
 * is kept as the store promises, so whoever answers to the outside waits for it. {@code write} and {@code writeAll} wait
 * themselves. A handle stays good while the table lives, through every {@link CellStore#alter}.
 */
public interface CellTable extends CellReads {
    CellTableSpec spec();

    default TableName name() {
        return spec().name();
    }

    CompletableFuture<WriteResult> writeAsync(RowWrite write);

    /** One outcome for each write, in the order given; each row write is atomic, the batch is not. */
    CompletableFuture<List<WriteOutcome>> writeAllAsync(List<RowWrite> writes);

    default WriteResult write(RowWrite write) {
        return join(writeAsync(write));
    }

    default List<WriteOutcome> writeAll(List<RowWrite> writes) {
        return join(writeAllAsync(writes));
    }

    /** Reads as of now, for as long as it is open. */
    CellSnapshot snapshot();

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
