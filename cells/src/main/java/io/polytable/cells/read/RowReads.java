package io.polytable.cells.read;

import io.polytable.cells.CellRow;
import io.polytable.cells.Selection;
import io.polytable.cells.StepLimit;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.table.Bytes;
import java.util.List;

/** Reads of single rows, whole. */
public final class RowReads {
    private static final StepLimit ONE_ROW = StepLimit.of(1, Long.MAX_VALUE);

    private RowReads() {}

    public static CellRow read(ReadContext context, Bytes row, Selection selection) {
        RowPass pass = new RowPass(context, selection, false);
        ReadStep step = new ReadStep(ONE_ROW, false, 0);
        if (pass.isDone()) {
            return new CellRow(row, List.of(), false);
        }
        try (StoredCursor cursor = context.layout().row(context.reader(), context.table(), row)) {
            if (!pass.start(row, cursor)) {
                return new CellRow(row, List.of(), false);
            }
            pass.read(cursor, step);
        }
        return new CellRow(row, pass.finish(step.take()), false);
    }
}
