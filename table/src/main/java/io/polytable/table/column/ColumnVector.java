package io.polytable.table.column;

import io.polytable.table.Bytes;
import java.util.Arrays;

/**
 * The values of one column in primitive arrays, without an object per value. The arrays are exposed directly, so that a
 * columnar engine (DuckDB, Arrow) needs one copy. They hold {@link #size()} rows and are overwritten by the next batch.
 *
 * <p>{@link #validity()} has a bit for each row, the first in the lowest bit of the first word: set where there is a
 * value. The other arrays are undefined for absent values.
 */
public abstract sealed class ColumnVector {
    private final Column column;
    private final long[] validity;
    private int size;
    private int absent;

    private ColumnVector(Column column, int capacity) {
        this.column = column;
        validity = new long[(capacity + Long.SIZE - 1) / Long.SIZE];
    }

    public static ColumnVector of(Column column, int capacity) {
        return switch (column.type()) {
            case BYTES, STRING -> new OfBytes(column, capacity);
            case BOOLEAN -> new OfBooleans(column, capacity);
            case INT -> new OfInts(column, capacity);
            case BIGINT, TIMESTAMP -> new OfLongs(column, capacity);
            case DOUBLE -> new OfDoubles(column, capacity);
        };
    }

    public final Column column() {
        return column;
    }

    /** The number of rows. */
    public final int size() {
        return size;
    }

    /** The number of rows without a value. */
    public final int absent() {
        return absent;
    }

    public final boolean isPresent(int row) {
        return (validity[row >> 6] >>> row & 1) == 1;
    }

    public final long[] validity() {
        return validity;
    }

    public final void addAbsent() {
        end(size);
        size++;
        absent++;
    }

    /** The row that a value is about to be added to. */
    final int take() {
        validity[size >> 6] |= 1L << size;
        return size++;
    }

    /** Ends the row's value, for variable-size vectors. */
    void end(int row) {}

    void clear() {
        Arrays.fill(validity, 0);
        size = 0;
        absent = 0;
    }

    /** Adds a value, absent or of the column's type; for callers that have objects anyway. */
    public final void add(Value value) {
        if (value instanceof Value.Absent) {
            addAbsent();
        } else if (value instanceof Value.OfBytes of && this instanceof OfBytes to) {
            to.add(of.value());
        } else if (value instanceof Value.OfString of && this instanceof OfBytes to) {
            to.add(Bytes.strictUtf8(of.value()));
        } else if (value instanceof Value.OfBoolean of && this instanceof OfBooleans to) {
            to.add(of.value());
        } else if (value instanceof Value.OfInt of && this instanceof OfInts to) {
            to.add(of.value());
        } else if (value instanceof Value.OfBigint of && this instanceof OfLongs to) {
            to.add(of.value());
        } else if (value instanceof Value.OfTimestamp of && this instanceof OfLongs to) {
            to.add(of.micros());
        } else if (value instanceof Value.OfDouble of && this instanceof OfDoubles to) {
            to.add(of.value());
        } else {
            throw new IllegalArgumentException(value + " in the column " + column);
        }
    }

    /** A row's value as an object. */
    public final Value value(int row) {
        return isPresent(row) ? present(row) : new Value.Absent();
    }

    abstract Value present(int row);

    /** Values of BIGINT and TIMESTAMP columns. */
    public static final class OfLongs extends ColumnVector {
        private final long[] values;

        private OfLongs(Column column, int capacity) {
            super(column, capacity);
            values = new long[capacity];
        }

        public long[] values() {
            return values;
        }

        public void add(long value) {
            values[take()] = value;
        }

        @Override
        Value present(int row) {
            return column().type() == ColumnType.TIMESTAMP
                    ? new Value.OfTimestamp(values[row])
                    : new Value.OfBigint(values[row]);
        }
    }

    /** Values of INT columns. */
    public static final class OfInts extends ColumnVector {
        private final int[] values;

        private OfInts(Column column, int capacity) {
            super(column, capacity);
            values = new int[capacity];
        }

        public int[] values() {
            return values;
        }

        public void add(int value) {
            values[take()] = value;
        }

        @Override
        Value present(int row) {
            return new Value.OfInt(values[row]);
        }
    }

    /** Values of DOUBLE columns. */
    public static final class OfDoubles extends ColumnVector {
        private final double[] values;

        private OfDoubles(Column column, int capacity) {
            super(column, capacity);
            values = new double[capacity];
        }

        public double[] values() {
            return values;
        }

        public void add(double value) {
            values[take()] = value;
        }

        @Override
        Value present(int row) {
            return new Value.OfDouble(values[row]);
        }
    }

    /** Values of BOOLEAN columns: a byte each, 0 or 1. */
    public static final class OfBooleans extends ColumnVector {
        private final byte[] values;

        private OfBooleans(Column column, int capacity) {
            super(column, capacity);
            values = new byte[capacity];
        }

        public byte[] values() {
            return values;
        }

        public void add(boolean value) {
            values[take()] = (byte) (value ? 1 : 0);
        }

        @Override
        Value present(int row) {
            return new Value.OfBoolean(values[row] == 1);
        }
    }

    /** Values of BYTES columns, and of STRING columns as UTF-8, stored contiguously. */
    public static final class OfBytes extends ColumnVector {
        private static final int FIRST_BYTES_PER_ROW = 16;

        /** One batch of large values must not pin its memory for all later ones. */
        private static final int KEEP_BYTES_MAX = 4 * ColumnBatch.BYTES_FULL;

        private final int[] offsets;
        private byte[] data;
        private int length;

        private OfBytes(Column column, int capacity) {
            super(column, capacity);
            offsets = new int[capacity + 1];
            data = new byte[capacity * FIRST_BYTES_PER_ROW];
        }

        /** The values of all rows, without gaps. */
        public byte[] data() {
            return data;
        }

        /** The start offset of each row's value, followed by the end of the last one. */
        public int[] offsets() {
            return offsets;
        }

        /** The total length of all values. */
        public int dataLength() {
            return length;
        }

        public void add(Bytes value) {
            add(value.array(), value.offset(), value.length());
        }

        public void add(byte[] array, int offset, int count) {
            append(array, offset, count);
            end(take());
        }

        /** Appends to the current value, which {@link #endValue()} ends. */
        public void append(byte[] array, int offset, int count) {
            reserve(count);
            System.arraycopy(array, offset, data, length, count);
            length += count;
        }

        /** Appends to the current value, with every bit inverted. */
        public void appendInverted(byte[] array, int offset, int count) {
            reserve(count);
            for (int i = 0; i < count; i++) {
                data[length + i] = (byte) ~array[offset + i];
            }
            length += count;
        }

        public void endValue() {
            end(take());
        }

        private void reserve(int more) {
            if (data.length - length < more) {
                data = Arrays.copyOf(
                        data, Math.max(Math.addExact(length, more), (int) Math.min(data.length * 2L, 1 << 30)));
            }
        }

        @Override
        void end(int row) {
            offsets[row + 1] = length;
        }

        @Override
        void clear() {
            super.clear();
            length = 0;
            if (data.length > KEEP_BYTES_MAX) {
                data = new byte[offsets.length * FIRST_BYTES_PER_ROW];
            }
        }

        public Bytes bytes(int row) {
            return Bytes.of(Arrays.copyOfRange(data, offsets[row], offsets[row + 1]));
        }

        @Override
        Value present(int row) {
            return column().type() == ColumnType.STRING
                    ? new Value.OfString(bytes(row).utf8())
                    : new Value.OfBytes(bytes(row));
        }
    }
}
