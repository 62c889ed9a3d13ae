package io.polytable.cells.request;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Code that looks at each cell of a read and says what becomes of it. It has a state of its own, serves one read at a
 * time, and is called in this order:
 *
 * <pre>
 * per row:   isDone?  reset  rejectsRowKey?
 *            per cell that versions, times and deletes let through:  isDone?  filter -> transform when included, or hint
 *            filterRowCells  rejectsRow?      (when it looksAtRows)
 *            reset
 * </pre>
 *
 * <p>A cell counts as a version of the read only when the filter lets it through; what the family keeps is decided before.
 */
public interface CellFilter {
    /** A row ended, or a new one begins. */
    default void reset() {}

    /** Whether nothing of the rest of the whole read is wanted; asked within a row, of the rest of the cell's family. */
    default boolean isDone() {
        return false;
    }

    /** Whether nothing of the row is wanted; asked with its first stored cell, before any cell of it is filtered. */
    default boolean rejectsRowKey(Cell first) {
        return false;
    }

    FilterDecision filter(Cell cell);

    /** What an included cell becomes in the answer; its place in the order must stay. */
    default Cell transform(Cell cell) {
        return cell;
    }

    /**
     * Where to go on after {@link FilterDecision#SEEK}: behind the cell in the read's direction, also in another row. Empty:
     * with the next cell.
     */
    default Optional<CellPosition> hint(Cell cell) {
        return Optional.empty();
    }

    /** Whether it decides on whole rows; such reads cannot be cut within a row. */
    default boolean looksAtRows() {
        return false;
    }

    /** May take cells out of a row, or replace them. */
    default void filterRowCells(List<Cell> cells) {}

    /** Whether the row, all of whose cells were filtered by now, is not wanted after all. */
    default boolean rejectsRow() {
        return false;
    }

    /** Whether the family is needed to decide; others may be read only for rows that are wanted. */
    default boolean needsFamily(Bytes family) {
        return true;
    }
}
