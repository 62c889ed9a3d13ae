package io.polytable.entity.embedded;

import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellTable;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredRow;
import io.polytable.table.Bytes;
import java.util.List;

/** A scan of a cell table in the order of its keys. */
final class CellsCursor implements RowCursor {
    private static final long STEP_BYTES = 8 << 20;

    private final CellScanner scanner;

    CellsCursor(CellTable table, ScanQuery query) {
        EntityRange range = query.range()
                .intersection(query.partition().map(Partition::range).orElse(EntityRange.ALL));
        Bytes from = query.after().map(RowRange::after).orElse(range.from());
        Bytes start = from.compareTo(range.from()) > 0 ? from : range.from();
        scanner = table.scan(ScanRequest.of(new RowRange(start, range.to()), Selections.of(query.query())));
    }

    @Override
    public List<StoredRow> next(int rows) {
        return Failures.translated(() -> {
            while (true) {
                ScanStep step = scanner.next(StepLimit.of(rows, STEP_BYTES));
                if (!step.rows().isEmpty() || !step.hasMore()) {
                    return step.rows().stream().map(CellsTable::row).toList();
                }
            }
        });
    }

    @Override
    public void close() {
        scanner.close();
    }
}
