package io.polytable.cells.read;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.cells.CellRow;
import io.polytable.cells.RowRange;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads single rows as a whole. */
public final class RowReads {
    private static final int OLDER_MAX = 16;

    private static final StepLimit ONE_ROW = StepLimit.of(1, Long.MAX_VALUE);

    /** About a millisecond. */
    private static final StepLimit BRIEF_ROW = new StepLimit(1, 4 << 20, 2_000, true, () -> false);

    private RowReads() {}

    public static CellRow read(ReadContext context, Bytes row, Selection selection) {
        return read(context, row, selection, new ReadStep(ONE_ROW, false, 0)).orElseThrow();
    }

    /** Empty if the row has too many or too large cells for a short read. */
    public static Optional<CellRow> readBrief(ReadContext context, Bytes row, Selection selection) {
        return read(context, row, selection, new ReadStep(BRIEF_ROW, true, 0));
    }

    private static Optional<CellRow> read(ReadContext context, Bytes row, Selection selection, ReadStep step) {
        RowPass pass = new RowPass(context, selection, false);
        CellRow nothing = new CellRow(row, List.of(), false);
        if (pass.isDone()) {
            return Optional.of(nothing);
        }
        try (StoredCursor cursor = CellRows.row(context.reader(), context.table(), row)) {
            if (!pass.start(row, cursor)) {
                return Optional.of(nothing);
            }
            if (pass.read(cursor, step) == RowMatcher.End.CUT) {
                return Optional.empty();
            }
        }
        return Optional.of(new CellRow(row, pass.finish(step.take()), false));
    }

    /**
     * Reads rows of one snapshot through one cursor: opening a cursor costs more than moving it.
     *
     * @param bytesMax stops when the rows take this much; the remaining entries are empty
     */
    public static List<Optional<CellRow>> readAll(
            ReadContext context, List<Bytes> rows, Selection selection, long bytesMax) {
        List<Optional<CellRow>> answers = new ArrayList<>(Collections.nCopies(rows.size(), Optional.empty()));
        List<Integer> inOrder = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            inOrder.add(i);
        }
        inOrder.sort(Comparator.comparing(rows::get));
        RowPass pass = new RowPass(context, selection, false);
        RowRange range =
                new RowRange(rows.get(inOrder.get(0)), RowRange.after(rows.get(inOrder.get(inOrder.size() - 1))));
        try (StoredCursor cursor = CellRows.rows(context.reader(), context.table(), range)) {
            long bytes = 0;
            CellRow last = new CellRow(Bytes.EMPTY, List.of(), false);
            for (int i = 0; i < inOrder.size() && (i == 0 || bytes < bytesMax); i++) {
                Bytes row = rows.get(inOrder.get(i));
                // The cursor cannot move back to a row that is requested twice.
                last = row.equals(last.row()) ? last : readAhead(pass, row, cursor);
                bytes += last.memoryBytes();
                answers.set(inOrder.get(i), Optional.of(last));
            }
        }
        return answers;
    }

    private static CellRow readAhead(RowPass pass, Bytes row, StoredCursor cursor) {
        ReadStep step = new ReadStep(ONE_ROW, false, 0);
        boolean there = cursor.seek(CellPosition.startOf(row)) && cursor.row().equals(row) && pass.start(row, cursor);
        if (there) {
            pass.read(cursor, step);
        }
        return new CellRow(row, there ? pass.finish(step.take()) : List.of(), false);
    }

    /**
     * The newest visible version of a column and the older puts stored in that column.
     *
     * @param all whether {@code older} is complete
     * @param marked whether there are delete markers, which may mask later versions too
     */
    public record Newest(Optional<Cell> cell, List<CellPosition> older, boolean all, boolean marked) {
        static final Newest NONE = new Newest(Optional.empty(), List.of(), false, true);
    }

    /**
     * Reads the newest version for a selection of one column and one version, and a bounded number of older puts.
     *
     * @param hasOneOlder whether the newest version is known to have exactly one older put
     */
    public static Newest newest(ReadContext context, Bytes row, Selection column, Predicate<Cell> hasOneOlder) {
        RowPass pass = new RowPass(context, column, false);
        ReadStep step = new ReadStep(ONE_ROW, false, 0);
        try (StoredCursor cursor = CellRows.row(context.reader(), context.table(), row)) {
            if (!pass.start(row, cursor)) {
                return Newest.NONE;
            }
            pass.read(cursor, step);
            List<Cell> found = step.take();
            if (found.isEmpty()) {
                return Newest.NONE;
            }
            Cell newest = found.get(0);
            int most = hasOneOlder.test(newest) ? 1 : OLDER_MAX;
            List<CellPosition> older = behind(newest, cursor, most);
            return new Newest(Optional.of(newest), older, older.size() < OLDER_MAX, pass.metMarkers());
        }
    }

    /** The cursor is on the newest cell: the matcher does not leave a column that is selected by name and done. */
    private static List<CellPosition> behind(Cell cell, StoredCursor cursor, int most) {
        List<CellPosition> older = new ArrayList<>(1);
        while (older.size() < most && cursor.isOnCell() && cursor.next() && isColumnOf(cell, cursor)) {
            if (cursor.kind() == CellKind.PUT && cursor.timestamp() < cell.timestamp()) {
                older.add(new CellPosition(
                        cell.row(), cell.family(), cell.qualifier(), cursor.timestamp(), CellKind.PUT.code()));
            }
        }
        return older;
    }

    private static boolean isColumnOf(Cell cell, StoredCursor cursor) {
        return cursor.qualifier().equals(cell.qualifier())
                && cursor.family().equals(cell.family())
                && cursor.row().equals(cell.row());
    }
}
