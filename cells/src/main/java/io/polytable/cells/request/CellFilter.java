package io.polytable.cells.request;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * A callback that decides on each cell of a read. It is stateful, serves one read at a time, and is called in this
 * order:
 *
 * <pre>
 * per row:   isDone?  reset  rejectsRowKey?
 *            per cell that versions, times and deletes let through:  isDone?  filter -> transform when included, or hint
 *            filterRowCells  rejectsRow?      (when it looksAtRows)
 *            reset
 * </pre>
 *
 * <p>A cell counts towards the read's versions only if the filter includes it. The family's own limits apply before
 * the filter.
 */
public interface CellFilter {
    /** A row ended, or a new one begins. */
    default void reset() {}

    /** Whether the rest of the read can be skipped; when asked within a row, the rest of the cell's family. */
    default boolean isDone() {
        return false;
    }

    /** Whether to skip the whole row; asked with its first stored cell, before any of its cells is filtered. */
    default boolean rejectsRowKey(Cell first) {
        return false;
    }

    FilterDecision filter(Cell cell);

    /** Replaces an included cell in the result; its position must not change. */
    default Cell transform(Cell cell) {
        return cell;
    }

    /**
     * The seek target after {@link FilterDecision#SEEK}: behind the cell in the read's direction, possibly in another
     * row. Empty: the next cell.
     */
    default Optional<CellPosition> hint(Cell cell) {
        return Optional.empty();
    }

    /** Whether the filter decides on whole rows; such reads cannot return partial rows. */
    default boolean looksAtRows() {
        return false;
    }

    /** May remove or replace cells of a row. */
    default void filterRowCells(List<Cell> cells) {}

    /** Whether to drop the row, after all its cells were filtered. */
    default boolean rejectsRow() {
        return false;
    }

    /** Whether the filter needs the family to decide; other families may be read only for rows it accepts. */
    default boolean needsFamily(Bytes family) {
        return true;
    }
}
