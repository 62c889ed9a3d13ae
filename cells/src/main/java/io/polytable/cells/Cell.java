package io.polytable.cells;

import io.polytable.table.Bytes;

/**
 * One version of one column, or a delete marker. Cells are ordered by row, family and qualifier ascending, then timestamp
 * and kind descending: the newest version of a column is its first.
 *
 * @param timestamp usually milliseconds since 1970, never {@link #LATEST}
 * @param ttlMillis how long after its timestamp the cell lives, {@link #NO_TTL} for as long as its family says
 */
public record Cell(Bytes row, Bytes family, Bytes qualifier, long timestamp, CellKind kind, Bytes value, long ttlMillis)
        implements Comparable<Cell> {
    /** In an edit: the store's own time. In a position: before every version. */
    public static final long LATEST = Long.MAX_VALUE;

    public static final long NO_TTL = 0;

    /** The record, its parts, two arrays, their places in lists: with the above about what was measured. */
    private static final int OBJECTS_BYTES = 164;

    public Cell(Bytes row, Bytes family, Bytes qualifier, long timestamp, CellKind kind, Bytes value) {
        this(row, family, qualifier, timestamp, kind, value, NO_TTL);
    }

    public Cell withValue(Bytes newValue) {
        return new Cell(row, family, qualifier, timestamp, kind, newValue, ttlMillis);
    }

    public boolean sameColumn(Cell other) {
        return qualifier.equals(other.qualifier) && family.equals(other.family) && row.equals(other.row);
    }

    public CellPosition position() {
        return new CellPosition(row, family, qualifier, timestamp, kind.code());
    }

    /** About what the cell takes on a wire. */
    public int sizeBytes() {
        return row.length() + family.length() + qualifier.length() + value.length() + 24;
    }

    /** About what the cell takes in memory once it is read, for limits: of small cells most is Java's objects. */
    public int memoryBytes() {
        return sizeBytes() + OBJECTS_BYTES;
    }

    /** Ignores the value: two cells that are equal in this order stand at the same place. */
    @Override
    public int compareTo(Cell other) {
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
        return order != 0 ? order : Integer.compare(other.kind.code(), kind.code());
    }
}
