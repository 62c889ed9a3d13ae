package io.polytable.cells.request;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import java.util.function.BooleanSupplier;

/**
 * How far one step of a scan goes. It ends after the first row that reaches a bound, so a step with positive bounds
 * always gets further.
 *
 * @param rows rows at most
 * @param bytes stops when the answered cells take so much
 * @param examined stops when so many stored cells were looked at, answered or not: what keeps a scan of which little
 *     matches from being silent for long
 * @param partialRows whether a bound may also cut within a row
 * @param timeUp asked now and then; stops as {@code examined} does
 */
public record StepLimit(int rows, long bytes, long examined, boolean partialRows, BooleanSupplier timeUp) {
    public StepLimit {
        if (rows < 1 || bytes < 1 || examined < 1) {
            throw new CellException(CellError.BAD_REQUEST, "A step's bound is not positive");
        }
    }

    /** Whole rows, at most so many and about so many bytes. */
    public static StepLimit of(int rows, long bytes) {
        return new StepLimit(rows, bytes, Long.MAX_VALUE, false, () -> false);
    }
}
