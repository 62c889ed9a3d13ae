package io.polytable.cells.store;

import io.polytable.cells.CellError;
import io.polytable.cells.CellLimits;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.WriteOutcome;
import io.polytable.cells.request.WriteResult;
import io.polytable.table.TableName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

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

    /**
     * As {@link #writeAsync}, but empty, and nothing done, when the calling thread would have to wait for other writers, or to
     * handle a large value that the write depends on: for threads that others wait for.
     */
    default Optional<CompletableFuture<WriteResult>> tryWriteAsync(RowWrite write) {
        return Optional.of(writeAsync(write));
    }

    /** One outcome for each write, in the order given; each row write is atomic, the batch is not. */
    default CompletableFuture<List<WriteOutcome>> writeAllAsync(List<RowWrite> writes) {
        return writeAllAsync(writes, new AtomicLong(CellLimits.ROW_READ_BYTES_MAX));
    }

    /**
     * As {@link #writeAllAsync(List)}, until the cells that the writes answer take about as many bytes as are left, of which
     * they are taken: later ones that would answer cells are not made, and fail with {@link CellError#ANSWERED_ENOUGH}.
     */
    CompletableFuture<List<WriteOutcome>> writeAllAsync(List<RowWrite> writes, AtomicLong answerBytesLeft);

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
