package io.polytable.table;

import java.util.List;

/**
 * Some rows of a table or view, column by column. Made once for a scan and filled again and again, so that reading a
 * million rows allocates what reading two thousand does.
 */
public final class ColumnBatch {
    /** What engines that work on columns take at once. */
    public static final int ROWS = 2048;

    /** With so many bytes in columns of variable size a batch ends, though it has room for more rows. */
    public static final int BYTES_FULL = 1 << 20;

    private final ColumnVector[] vectors;
    private final List<ColumnVector> columns;
    private final int capacity;
    private int rows;

    public ColumnBatch(List<Column> columns) {
        this(columns, ROWS);
    }

    public ColumnBatch(List<Column> columns, int capacity) {
        this.columns = columns.stream()
                .map(column -> ColumnVector.of(column, capacity))
                .toList();
        vectors = this.columns.toArray(ColumnVector[]::new);
        this.capacity = capacity;
    }

    public int rows() {
        return rows;
    }

    public List<ColumnVector> columns() {
        return columns;
    }

    public ColumnVector column(int index) {
        return vectors[index];
    }

    /** Every column has got its value of the next row. */
    public void endRow() {
        rows++;
        for (ColumnVector vector : vectors) {
            if (vector.size() != rows) {
                throw new IllegalStateException("row " + rows + " has not one value in " + vector.column());
            }
        }
    }

    /** Whether no further row is to be added. */
    public boolean isFull() {
        if (rows == capacity) {
            return true;
        }
        for (ColumnVector vector : vectors) {
            if (vector instanceof ColumnVector.OfBytes bytes && bytes.dataLength() >= BYTES_FULL) {
                return true;
            }
        }
        return false;
    }

    public void clear() {
        rows = 0;
        for (ColumnVector vector : vectors) {
            vector.clear();
        }
    }
}
