package io.polytable.cells;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Cells of one row, in order.
 *
 * @param partial whether the scan may return more cells of this row
 */
public record CellRow(Bytes row, List<Cell> cells, boolean partial) {
    public CellRow {
        cells = List.copyOf(cells);
    }

    public boolean isEmpty() {
        return cells.isEmpty();
    }

    /** The approximate heap size of its cells, for limits. */
    public long memoryBytes() {
        long bytes = 0;
        for (Cell cell : cells) {
            bytes += cell.memoryBytes();
        }
        return bytes;
    }

    /** The newest of a column's versions in this result. */
    public Optional<Cell> newest(Bytes family, Bytes qualifier) {
        return cells.stream()
                .filter(cell ->
                        cell.qualifier().equals(qualifier) && cell.family().equals(family))
                .findFirst();
    }

    public Optional<Bytes> value(Bytes family, Bytes qualifier) {
        return newest(family, qualifier).map(Cell::value);
    }
}
