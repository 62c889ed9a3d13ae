package io.polytable.cells.request;

import io.polytable.cells.CellRow;
import java.util.List;

/**
 * The result of one step of a scan, and why the step ended.
 *
 * @param rowsScanned how many rows the step has finished, returned or not
 * @param rowsFiltered how many of them returned nothing
 */
public record ScanStep(List<CellRow> rows, End end, long rowsScanned, long rowsFiltered) {
    /** Why a step ended. */
    public enum End {
        /** The step's limit of rows or bytes is reached. */
        LIMIT,
        /** The step's limit of examined cells or of time is reached; the step may have no rows. */
        HEARTBEAT,
        /** The range has no more rows. */
        RANGE_DONE,
        /** The scan's row limit is reached or its filter is done, for this range and any other. */
        SCAN_DONE
    }

    public ScanStep {
        rows = List.copyOf(rows);
    }

    /** A step that returned all rows that it finished. */
    public ScanStep(List<CellRow> rows, End end) {
        this(rows, end, rows.size(), 0);
    }

    public boolean hasMore() {
        return end == End.LIMIT || end == End.HEARTBEAT;
    }
}
