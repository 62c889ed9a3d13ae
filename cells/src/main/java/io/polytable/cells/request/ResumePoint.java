package io.polytable.cells.request;

import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;
import java.util.Optional;

/**
 * The position at which a scan stopped. Another scan can resume there, much later too.
 *
 * @param row the last row that was examined
 * @param lastCell the row's last returned cell, if the row may have more; empty if the row is done
 * @param familyCells how many cells of that cell's family in the row count towards the selection's limit and offset
 */
public record ResumePoint(Bytes row, Optional<CellPosition> lastCell, int familyCells) {
    public static ResumePoint afterRow(Bytes row) {
        return new ResumePoint(row, Optional.empty(), 0);
    }
}
