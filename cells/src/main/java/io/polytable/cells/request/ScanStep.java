package io.polytable.cells.request;

import io.polytable.cells.CellRow;
import java.util.List;

/** What one step of a scan answered, and why it ended. */
public record ScanStep(List<CellRow> rows, End end) {
    /** Why a step ended. */
    public enum End {
        /** Rows or bytes of the step are used up. */
        LIMIT,
        /** So much was examined, or so much time has passed; there may be no rows at all. */
        HEARTBEAT,
        /** The range has no more rows. */
        RANGE_DONE,
        /** The scan's row limit is reached, or its filter wants nothing more, in this range and beyond. */
        SCAN_DONE
    }

    public ScanStep {
        rows = List.copyOf(rows);
    }

    public boolean hasMore() {
        return end == End.LIMIT || end == End.HEARTBEAT;
    }
}
