package io.polytable.cells.read;

import io.polytable.cells.Cell;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes rows through the matcher and through what a filter says of whole rows. */
final class RowPass {
    private final RowMatcher matcher;
    private final @Nullable CellFilter filter;

    RowPass(ReadContext context, Selection selection, boolean reversed) {
        matcher = new RowMatcher(context.spec(), selection, reversed, context.nowMillis());
        filter = selection.filter().orElse(null);
    }

    boolean isDone() {
        return filter != null && filter.isDone();
    }

    /** Whether no row can show anything any more, though the filter may say otherwise of another range. */
    boolean isExhausted() {
        return matcher.isExhausted();
    }

    boolean looksAtRows() {
        return filter != null && filter.looksAtRows();
    }

    /** Whether the row has cells that may be shown; the cursor then stands on the first of them. */
    boolean start(Bytes row, StoredCursor cursor) {
        return matcher.start(row, cursor) && filterLetsIn(cursor);
    }

    boolean resume(ResumePoint point, StoredCursor cursor) {
        return point.lastCell()
                .filter(last -> matcher.resume(point, last, cursor) && filterLetsIn(cursor))
                .isPresent();
    }

    private boolean filterLetsIn(StoredCursor cursor) {
        if (filter == null) {
            return true;
        }
        filter.reset();
        return !filter.rejectsRowKey(cursor.cell());
    }

    RowMatcher.End read(StoredCursor cursor, ReadStep step) {
        return matcher.read(cursor, step);
    }

    /** What is left of a row whose last cells these are. */
    List<Cell> finish(List<Cell> cells) {
        if (filter == null) {
            return cells;
        }
        if (filter.looksAtRows()) {
            filter.filterRowCells(cells);
        }
        List<Cell> left = !cells.isEmpty() && filter.rejectsRow() ? List.of() : cells;
        // Before it is asked whether it is done: a filter that counts within rows is so only until the row's end.
        filter.reset();
        return left;
    }

    /** Whether there were delete markers before the cells that were shown. */
    boolean metMarkers() {
        return matcher.metMarkers();
    }

    Optional<Bytes> hintedRow() {
        return matcher.hintedRow();
    }

    /** Where a row that was cut goes on. */
    ResumePoint position() {
        return matcher.position();
    }
}
