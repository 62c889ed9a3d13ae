package io.polytable.table;

import java.util.Arrays;

/**
 * Values of one column, row after row, in primitive arrays: no object for a value. The arrays are handed out as they are,
 * so that an engine that works on columns (DuckDB, Arrow) takes them over with one copy; they are good for {@link #size()}
 * rows and change with the next batch.
 *
 * <p>{@link #validity()} has a bit for each row, the first in the lowest bit of the first word: set where there is a
 * value. What the other arrays hold for an absent value means nothing.
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

    /** How many rows it has. */
    public final int size() {
        return size;
    }

    /** How many of its rows have no value. */
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

    /** The row ends here: for vectors whose values have an end. */
    void end(int row) {}

    void clear() {
        Arrays.fill(validity, 0);
        size = 0;
        absent = 0;
    }

    /** Adds the value, absent or of the column's type; for those who have objects anyway. */
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

    /** Values of BYTES columns, and of STRING columns as UTF-8: one behind the other. */
    public static final class OfBytes extends ColumnVector {
        private static final int FIRST_BYTES_PER_ROW = 16;

        /** One batch of large values must not keep its memory for all that follow. */
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

        /** Where each row's value starts, and one more: where the last one ends. */
        public int[] offsets() {
            return offsets;
        }

        /** The length of all values together. */
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

        /** A piece of the next value, which {@link #endValue()} ends. */
        public void append(byte[] array, int offset, int count) {
            reserve(count);
            System.arraycopy(array, offset, data, length, count);
            length += count;
        }

        /** A piece of the next value, every bit of it turned. */
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
