package io.polytable.cells.read;

import io.polytable.cells.CellRow;
import io.polytable.cells.RowRange;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Scans a range of rows in steps. It keeps one cursor open and, within a row, the matcher's state. */
public final class RangeScanner implements CellScanner {
    private final RowWalk walk;
    private final RowPass pass;
    private final int batchCells;
    private final Runnable onClose;

    private @Nullable ResumePoint resumeAt;
    private boolean midRow;
    private boolean rowWasShown;
    private long rowsLeft;
    private @Nullable ResumePoint position;
    private ScanStep.@Nullable End end;
    private long rowsScanned;
    private long rowsFiltered;
    private boolean closed;

    /** Runs {@code onClose} once when closed, to release the reader. */
    public RangeScanner(ReadContext context, ScanRequest request, Runnable onClose) {
        this.onClose = onClose;
        pass = new RowPass(context, request.selection(), request.reversed());
        batchCells = request.batchCells();
        rowsLeft = request.rowLimit();
        resumeAt = request.after().filter(point -> point.lastCell().isPresent()).orElse(null);
        position = request.after().orElse(null);
        walk = RowWalk.open(context, request, remaining(request));
    }

    /** The rows left to examine. */
    private static RowRange remaining(ScanRequest request) {
        RowRange range = request.range();
        if (request.after().isEmpty()) {
            return range;
        }
        ResumePoint point = request.after().get();
        boolean again = point.lastCell().isPresent();
        Bytes behind = RowRange.after(point.row());
        RowRange rest = request.reversed()
                ? new RowRange(Bytes.EMPTY, again ? behind : point.row())
                : new RowRange(again ? point.row() : behind, Bytes.EMPTY);
        return range.intersection(rest);
    }

    @Override
    public ScanStep next(StepLimit limit) {
        ReadStep step = new ReadStep(limit, limit.partialRows() && !pass.looksAtRows(), batchCells);
        List<CellRow> rows = new ArrayList<>();
        rowsScanned = 0;
        rowsFiltered = 0;
        while (end == null) {
            if (!midRow && !nextRow(step)) {
                continue;
            }
            if (midRow) {
                readRow(step, rows);
            }
            if (step.isUsedUp(rows.size())) {
                return ended(rows, end == null ? ScanStep.End.LIMIT : end);
            }
            if (step.isHeartbeat()) {
                return ended(rows, end == null ? ScanStep.End.HEARTBEAT : end);
            }
        }
        return ended(rows, end);
    }

    private ScanStep ended(List<CellRow> rows, ScanStep.End why) {
        return new ScanStep(rows, why, rowsScanned, rowsFiltered);
    }

    private void finished(boolean shown) {
        rowsScanned++;
        rowsFiltered += shown ? 0 : 1;
    }

    /** Moves to the next row; returns false if the scan ended, with {@code end} set. */
    private boolean nextRow(ReadStep step) {
        if (rowsLeft == 0 || pass.isDone()) {
            end = ScanStep.End.SCAN_DONE;
            return false;
        }
        if (pass.isExhausted()) {
            end = ScanStep.End.RANGE_DONE;
            return false;
        }
        Optional<Bytes> hint = pass.hintedRow();
        boolean there = hint.isPresent() ? walk.seek(hint.get()) : walk.next();
        if (!there) {
            end = ScanStep.End.RANGE_DONE;
            return false;
        }
        step.examined();
        ResumePoint again = resumeAt;
        resumeAt = null;
        rowWasShown = again != null && again.row().equals(walk.row());
        midRow = (again != null && rowWasShown)
                ? pass.resume(again, walk.cells())
                : pass.start(walk.row(), walk.cells());
        if (!midRow) {
            position = ResumePoint.afterRow(walk.row());
            finished(rowWasShown);
        }
        return true;
    }

    private void readRow(ReadStep step, List<CellRow> rows) {
        Bytes row = walk.row();
        RowMatcher.End rowEnd = pass.read(walk.cells(), step);
        if (rowEnd == RowMatcher.End.CUT) {
            position = pass.position();
            show(new CellRow(row, step.take(), true), rows);
            return;
        }
        midRow = false;
        position = ResumePoint.afterRow(row);
        show(new CellRow(row, step.takeWhole(pass::finish), false), rows);
        finished(rowWasShown);
        if (rowWasShown) {
            rowsLeft--;
        }
    }

    private void show(CellRow row, List<CellRow> rows) {
        if (!row.isEmpty()) {
            rows.add(row);
            rowWasShown = true;
        }
    }

    @Override
    public Optional<ResumePoint> position() {
        return Optional.ofNullable(position);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            walk.close();
            onClose.run();
        }
    }
}
