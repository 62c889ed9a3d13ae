package io.polytable.cells;

import io.polytable.table.Bytes;

/**
 * A position in the order of cells, whether or not a cell exists there: a filter's seek target, or where a reader
 * stopped.
 *
 * @param kindCode a {@link CellKind#code()}, or {@link #BEFORE_ALL_KINDS}
 */
public record CellPosition(Bytes row, Bytes family, Bytes qualifier, long timestamp, int kindCode)
        implements Comparable<CellPosition> {
    public static final int BEFORE_ALL_KINDS = 255;

    /** Before every cell of the row. */
    public static CellPosition startOf(Bytes row) {
        return startOf(row, Bytes.EMPTY, Bytes.EMPTY);
    }

    /** Before every version of the column; with an empty qualifier, before every cell of the family. */
    public static CellPosition startOf(Bytes row, Bytes family, Bytes qualifier) {
        return new CellPosition(row, family, qualifier, Cell.LATEST, BEFORE_ALL_KINDS);
    }

    @Override
    public int compareTo(CellPosition other) {
        int order = row.compareTo(other.row);
        if (order == 0) {
            order = family.compareTo(other.family);
        }
        if (order == 0) {
            order = qualifier.compareTo(other.qualifier);
        }
        if (order == 0) {
            order = Long.compare(other.timestamp, timestamp);
        }
        return order != 0 ? order : Integer.compare(other.kindCode, kindCode);
    }
}
