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
 * <p>A write is visible to reads on any thread before its future completes. The future completes when the write is
 * durable, so a server waits for it before it replies. {@code write} and {@code writeAll} wait themselves. A handle
 * stays valid until the table is dropped, through every {@link CellStore#alter}.
 */
public interface CellTable extends CellReads {
    CellTableSpec spec();

    default TableName name() {
        return spec().name();
    }

    CompletableFuture<WriteResult> writeAsync(RowWrite write);

    /**
     * As {@link #writeAsync}, but empty, with nothing written, if the calling thread would need to wait for other
     * writers or process a large value: for event loops.
     */
    default Optional<CompletableFuture<WriteResult>> tryWriteAsync(RowWrite write) {
        return Optional.of(writeAsync(write));
    }

    /** One outcome for each write, in order; each row write is atomic, the batch is not. */
    default CompletableFuture<List<WriteOutcome>> writeAllAsync(List<RowWrite> writes) {
        return writeAllAsync(writes, new AtomicLong(CellLimits.ROW_READ_BYTES_MAX));
    }

    /**
     * As {@link #writeAllAsync(List)}, with a budget for the cells that writes return. Each returned cell is deducted
     * from it; once it is used up, further writes that would return cells are not applied and fail with {@link
     * CellError#ANSWERED_ENOUGH}.
     */
    CompletableFuture<List<WriteOutcome>> writeAllAsync(List<RowWrite> writes, AtomicLong answerBytesLeft);

    default WriteResult write(RowWrite write) {
        return join(writeAsync(write));
    }

    default List<WriteOutcome> writeAll(List<RowWrite> writes) {
        return join(writeAllAsync(writes));
    }

    /** A snapshot of the current state. */
    CellSnapshot snapshot();

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
