package io.polytable.table.column;

import java.util.List;

/**
 * Rows of a table or view in columnar form. A scan allocates one batch and refills it, so that reading a million rows
 * allocates as much as reading two thousand.
 */
public final class ColumnBatch {
    /** The batch size that columnar engines use. */
    public static final int ROWS = 2048;

    /** With this many bytes in variable-size columns a batch is full, even if it has space for more rows. */
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

    /** Ends a row: every column has its value. */
    public void endRow() {
        rows++;
        for (ColumnVector vector : vectors) {
            if (vector.size() != rows) {
                throw new IllegalStateException("row " + rows + " has not one value in " + vector.column());
            }
        }
    }

    /** Whether the batch accepts no further row. */
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
