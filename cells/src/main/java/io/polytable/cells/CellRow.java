package io.polytable.cells;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Cells of one row, in order.
 *
 * @param partial whether the next answer of the same scan may have more cells of this row
 */
public record CellRow(Bytes row, List<Cell> cells, boolean partial) {
    public CellRow {
        cells = List.copyOf(cells);
    }

    public boolean isEmpty() {
        return cells.isEmpty();
    }

    /** About what its cells take in memory, for limits. */
    public long memoryBytes() {
        long bytes = 0;
        for (Cell cell : cells) {
            bytes += cell.memoryBytes();
        }
        return bytes;
    }

    /** The newest of the read versions of a column. */
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
