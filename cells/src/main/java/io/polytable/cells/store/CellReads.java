package io.polytable.cells.store;

import io.polytable.cells.CellError;
import io.polytable.cells.CellRow;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What can be read of a table: as it is now, or as of a snapshot. A family that the table does not have is {@link
 * CellError#NO_SUCH_FAMILY}.
 */
public interface CellReads {
    /** The row's cells, empty when it has none; {@link CellError#TOO_LARGE} when the row should be scanned instead. */
    CellRow get(Bytes row, Selection selection);

    /** As {@link #get}, without blocking the caller on a network. */
    CompletableFuture<CellRow> getAsync(Bytes row, Selection selection);

    /**
     * As {@link #getAsync}, but empty when it would look at many cells: for threads that others wait for. The filter is
     * then used up.
     */
    default CompletableFuture<Optional<CellRow>> getBrief(Bytes row, Selection selection) {
        return getAsync(row, selection).thenApply(Optional::of);
    }

    /** One answer for each row, in the order asked. A filter serves one row after the other. */
    List<CellRow> getAll(List<Bytes> rows, Selection selection);

    /**
     * As {@link #getAll}, until the answers take about so many bytes: the others are empty. One row at least is answered.
     */
    default List<Optional<CellRow>> getSome(List<Bytes> rows, Selection selection, long bytesMax) {
        List<Optional<CellRow>> found = new ArrayList<>(rows.size());
        long bytes = 0;
        for (Bytes row : rows) {
            boolean hasRoom = found.isEmpty() || bytes < bytesMax;
            Optional<CellRow> next = hasRoom ? Optional.of(get(row, selection)) : Optional.empty();
            bytes += next.map(CellRow::memoryBytes).orElse(0L);
            found.add(next);
        }
        return found;
    }

    CompletableFuture<List<CellRow>> getAllAsync(List<Bytes> rows, Selection selection);

    CellScanner scan(ScanRequest request);
}
