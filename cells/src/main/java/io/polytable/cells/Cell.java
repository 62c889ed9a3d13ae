package io.polytable.cells;

import io.polytable.table.Bytes;

/**
 * One version of one column, or a delete marker. Cells are ordered by row, family and qualifier ascending, then
 * timestamp and kind descending: the newest version of a column is its first.
 *
 * @param timestamp usually milliseconds since 1970, never {@link #LATEST}
 * @param ttlMillis time to live, counted from the timestamp; {@link #NO_TTL} if only the family's applies
 */
public record Cell(Bytes row, Bytes family, Bytes qualifier, long timestamp, CellKind kind, Bytes value, long ttlMillis)
        implements Comparable<Cell> {
    /** In an edit: use the store's clock. In a position: before every version. */
    public static final long LATEST = Long.MAX_VALUE;

    public static final long NO_TTL = 0;

    /**
     * Java objects of a cell: the record, its fields, two arrays, list entries. With {@link #sizeBytes} close to the
     * measured size.
     */
    private static final int OBJECTS_BYTES = 164;

    /** The 32 bytes of HBase's object, without the length field that {@link #sizeBytes} includes. */
    private static final int COUNTED_OVERHEAD_BYTES = 28;

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

    /** The approximate size of the cell on a wire. */
    public int sizeBytes() {
        return sizeBytes(row, family, qualifier, value);
    }

    /** As {@link #sizeBytes()}, for a cell that does not exist yet: that of HBase's {@code KeyValue} and its length. */
    public static int sizeBytes(Bytes row, Bytes family, Bytes qualifier, Bytes value) {
        return row.length() + family.length() + qualifier.length() + value.length() + 24;
    }

    /** The approximate heap size of the cell, for limits: most of a small cell is Java's object overhead. */
    public int memoryBytes() {
        return sizeBytes() + OBJECTS_BYTES;
    }

    /**
     * What the cell counts against a client's limit for a result: its size as HBase's server counts a cell of its
     * memstore. A client that limits a result gets as many cells as from HBase.
     */
    public int countedBytes() {
        return sizeBytes() + COUNTED_OVERHEAD_BYTES;
    }

    /** Ignores the value: two cells that compare equal have the same position. */
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
