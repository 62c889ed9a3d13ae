package io.polytable.cells.request;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellRow;
import io.polytable.cells.RowRange;
import java.util.Map;
import java.util.Optional;

/**
 * A scan over a range of rows.
 *
 * @param reversed from the range's last row to its first; cells within a row keep their order
 * @param rowLimit the maximum number of rows
 * @param batchCells the maximum number of cells in a {@link CellRow}; wider rows are returned in several parts. 0 for no
 *     bound
 * @param after where an earlier scan of the same request stopped; empty to begin
 */
public record ScanRequest(
        RowRange range,
        boolean reversed,
        Selection selection,
        long rowLimit,
        int batchCells,
        Optional<ResumePoint> after) {
    public ScanRequest {
        if (rowLimit < 0 || batchCells < 0) {
            throw new CellException(
                    CellError.BAD_REQUEST, "A limit is negative", Map.of("rows", rowLimit, "cells", batchCells));
        }
        boolean wholeRows = selection.filter().map(CellFilter::looksAtRows).orElse(false);
        if (batchCells > 0 && wholeRows) {
            throw new CellException(CellError.BAD_REQUEST, "A filter that looks at whole rows cannot be batched");
        }
    }

    public static ScanRequest of(RowRange range, Selection selection) {
        return new ScanRequest(range, false, selection, Long.MAX_VALUE, 0, Optional.empty());
    }

    public ScanRequest inReverse() {
        return new ScanRequest(range, true, selection, rowLimit, batchCells, after);
    }

    public ScanRequest withRowLimit(long rows) {
        return new ScanRequest(range, reversed, selection, rows, batchCells, after);
    }

    public ScanRequest withBatchCells(int cells) {
        return new ScanRequest(range, reversed, selection, rowLimit, cells, after);
    }

    public ScanRequest resumedAt(ResumePoint point) {
        return new ScanRequest(range, reversed, selection, rowLimit, batchCells, Optional.of(point));
    }
}
