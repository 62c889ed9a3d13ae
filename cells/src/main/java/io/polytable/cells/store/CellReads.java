package io.polytable.cells.store;

import io.polytable.cells.CellError;
import io.polytable.cells.CellRow;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads of a table, either of its current state or of a snapshot. An unknown family is {@link
 * CellError#NO_SUCH_FAMILY}.
 */
public interface CellReads {
    /** The row's selected cells, possibly none; {@link CellError#TOO_LARGE} if the row must be scanned instead. */
    CellRow get(Bytes row, Selection selection);

    /** As {@link #get}, without blocking the caller on a network. */
    CompletableFuture<CellRow> getAsync(Bytes row, Selection selection);

    /**
     * As {@link #getAsync}, but empty if the read would examine many cells: for event loops. The filter's state is
     * then spent.
     */
    default CompletableFuture<Optional<CellRow>> getBrief(Bytes row, Selection selection) {
        return getAsync(row, selection).thenApply(Optional::of);
    }

    /** One result for each row, in the order of the request. A filter sees one row after the other. */
    List<CellRow> getAll(List<Bytes> rows, Selection selection);

    /**
     * As {@link #getAll}, but stops reading once the results take about {@code bytesMax}: the remaining entries are
     * empty. Reads at least one row.
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
