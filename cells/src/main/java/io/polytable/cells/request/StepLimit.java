package io.polytable.cells.request;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import java.util.function.BooleanSupplier;

/**
 * The bounds of one scan step. A step ends after the first row that reaches a bound, so every step makes progress.
 *
 * @param rows the maximum number of rows
 * @param bytes stops when the returned cells take this much memory
 * @param counted stops when the returned cells count this much, by {@code Cell.countedBytes}
 * @param examined stops when this many stored cells were examined, returned or not: otherwise a scan with few matches
 *     would be silent for long
 * @param partialRows whether a step may end within a row
 * @param timeUp polled regularly; stops the step as {@code examined} does
 */
public record StepLimit(
        int rows, long bytes, long counted, long examined, boolean partialRows, BooleanSupplier timeUp) {
    public StepLimit {
        if (rows < 1 || bytes < 1 || counted < 1 || examined < 1) {
            throw new CellException(CellError.BAD_REQUEST, "A step's bound is not positive");
        }
    }

    public StepLimit(int rows, long bytes, long examined, boolean partialRows, BooleanSupplier timeUp) {
        this(rows, bytes, Long.MAX_VALUE, examined, partialRows, timeUp);
    }

    /** Whole rows, bounded by a number of rows and approximately by bytes. */
    public static StepLimit of(int rows, long bytes) {
        return new StepLimit(rows, bytes, Long.MAX_VALUE, false, () -> false);
    }
}
