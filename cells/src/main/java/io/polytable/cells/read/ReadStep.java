package io.polytable.cells.read;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellLimits;
import io.polytable.cells.request.StepLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Collects a row's cells and tracks the limits of a scan step. */
final class ReadStep {
    /** How many cells are examined between two reads of the clock. */
    private static final int CLOCK_EVERY = 128;

    private final StepLimit limit;
    private final boolean mayCut;
    private final int batchCells;

    private List<Cell> cells = new ArrayList<>();
    private long rowBytes;
    private long bytes;
    private long rowCounted;
    private long counted;
    private long examined;
    private boolean timeUp;

    ReadStep(StepLimit limit, boolean mayCut, int batchCells) {
        this.limit = limit;
        this.mayCut = mayCut;
        this.batchCells = batchCells;
    }

    void add(Cell cell) {
        cells.add(cell);
        int size = cell.memoryBytes();
        rowBytes += size;
        bytes += size;
        rowCounted += cell.countedBytes();
        counted += cell.countedBytes();
        // A single cell is never too large, since the write was accepted; a row that may be cut is cut before it gets
        // too large.
        if (rowBytes > CellLimits.ROW_READ_BYTES_MAX && cells.size() > 1 && !mayCut) {
            throw new CellException(
                    CellError.TOO_LARGE, "A row is too large to be read whole", Map.of("row", cell.row()));
        }
    }

    void examined() {
        examined++;
        if (examined % CLOCK_EVERY == 0 && limit.timeUp().getAsBoolean()) {
            timeUp = true;
        }
    }

    /** Whether to stop within the row and resume later. */
    boolean cutsRow() {
        return batchIsFull() || (mayCut && (isFull() || rowIsLarge() || isHeartbeat()));
    }

    /** Stops at half the limit, since the next cell may be as large. */
    private boolean rowIsLarge() {
        return rowBytes >= CellLimits.ROW_READ_BYTES_MAX / 2;
    }

    private boolean batchIsFull() {
        return batchCells > 0 && cells.size() >= batchCells;
    }

    boolean isHeartbeat() {
        return timeUp || examined >= limit.examined();
    }

    boolean isUsedUp(int rows) {
        return rows >= limit.rows() || isFull();
    }

    private boolean isFull() {
        return bytes >= limit.bytes() || counted >= limit.counted();
    }

    /** Hands over the row's cells collected so far. */
    List<Cell> take() {
        List<Cell> taken = cells;
        cells = new ArrayList<>();
        rowBytes = 0;
        rowCounted = 0;
        return taken;
    }

    /**
     * As {@link #take}, for a finished row: only the cells that the filter kept count. A rejected row must not end the
     * step, or the step might end without a result.
     */
    List<Cell> takeWhole(UnaryOperator<List<Cell>> filter) {
        bytes -= rowBytes;
        counted -= rowCounted;
        List<Cell> left = filter.apply(take());
        for (Cell cell : left) {
            bytes += cell.memoryBytes();
            counted += cell.countedBytes();
        }
        return left;
    }
}
