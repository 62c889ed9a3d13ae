package io.polytable.entity.embedded;

import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.FilterDecision;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellTable;
import io.polytable.table.Bytes;
import java.util.Optional;

/** Finds the first and the last key of a table. */
final class KeyEnds {
    /** The first cell of each row is enough. */
    private static final class FirstCell implements CellFilter {
        @Override
        public FilterDecision filter(io.polytable.cells.Cell cell) {
            return FilterDecision.INCLUDE_AND_NEXT_ROW;
        }
    }

    private KeyEnds() {}

    static Optional<Bytes> end(CellTable table, boolean reversed) {
        ScanRequest request = ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(new FirstCell()))
                .withRowLimit(1);
        try (CellScanner scanner = table.scan(reversed ? request.inReverse() : request)) {
            while (true) {
                ScanStep step = scanner.next(StepLimit.of(1, 1 << 20));
                if (!step.rows().isEmpty() || !step.hasMore()) {
                    return step.rows().stream().findFirst().map(row -> row.row());
                }
            }
        }
    }
}
