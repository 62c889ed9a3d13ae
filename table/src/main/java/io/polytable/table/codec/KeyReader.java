package io.polytable.table.codec;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.SortOrder;

/** Reads what {@link KeyWriter} wrote; bytes that it cannot have written are {@link StoreError#CORRUPT}. */
public final class KeyReader {
    private final BytesReader in;

    public KeyReader(Bytes key) {
        in = new BytesReader(key);
    }

    /** Restarts with another key, which saves a reader per row. */
    KeyReader moveTo(ByteSlice key) {
        in.moveTo(key);
        return this;
    }

    /** The offset of the next component in the key's array. */
    int at() {
        return in.at();
    }

    public Bytes bytes(SortOrder order) {
        int mask = order == SortOrder.ASCENDING ? 0 : 0xff;
        BytesWriter out = new BytesWriter(in.remaining());
        while (true) {
            int b = in.u8() ^ mask;
            if (b == 0) {
                int next = in.u8() ^ mask;
                if (next == KeyWriter.END) {
                    return out.toBytes();
                }
                if (next != KeyWriter.ESCAPED_ZERO) {
                    throw in.corrupt("A zero byte in a key is neither escaped nor an end");
                }
            }
            out.u8(b);
        }
    }

    /** Adds the run of bytes to the vector. */
    void bytesTo(ColumnVector.OfBytes target, SortOrder order) {
        byte zero = order == SortOrder.ASCENDING ? 0 : (byte) 0xff;
        int from = in.at();
        while (true) {
            while (in.u8() != (zero & 0xff)) {
                // Continue at the next zero.
            }
            int end = in.at() - 1;
            int next = in.u8() ^ (zero & 0xff);
            boolean ends = next == KeyWriter.END;
            if (!ends && next != KeyWriter.ESCAPED_ZERO) {
                throw in.corrupt("A zero byte in a key is neither escaped nor an end");
            }
            int length = end - from + (ends ? 0 : 1);
            if (order == SortOrder.ASCENDING) {
                target.append(in.array(), from, length);
            } else {
                target.appendInverted(in.array(), from, length);
            }
            if (ends) {
                target.endValue();
                return;
            }
            from = in.at();
        }
    }

    /** Skips a component of the type. */
    void skip(ColumnType type, SortOrder order) {
        switch (type) {
            case BYTES, STRING -> skipBytes(order);
            case BOOLEAN -> in.skip(1);
            case INT -> in.skip(Integer.BYTES);
            case BIGINT, DOUBLE, TIMESTAMP -> in.skip(Long.BYTES);
        }
    }

    private void skipBytes(SortOrder order) {
        int mask = order == SortOrder.ASCENDING ? 0 : 0xff;
        do {
            while ((in.u8() ^ mask) != 0) {
                // Continue at the next zero.
            }
        } while ((in.u8() ^ mask) != KeyWriter.END);
    }

    public String string(SortOrder order) {
        return BytesReader.strictUtf8(bytes(order));
    }

    public boolean bool(SortOrder order) {
        int value = order == SortOrder.ASCENDING ? in.u8() : in.u8() ^ 0xff;
        if (value > 1) {
            throw in.corrupt("Not a boolean");
        }
        return value == 1;
    }

    public int i32(SortOrder order) {
        int value = in.i32() ^ Integer.MIN_VALUE;
        return order == SortOrder.ASCENDING ? value : ~value;
    }

    public long i64(SortOrder order) {
        long value = in.i64() ^ Long.MIN_VALUE;
        return order == SortOrder.ASCENDING ? value : ~value;
    }

    public double f64(SortOrder order) {
        long ordered = i64(order);
        double value = Double.longBitsToDouble(ordered ^ ((ordered >> 63) & Long.MAX_VALUE));
        // Only one NaN is ever written; accepting others would give one value two keys.
        if (Double.isNaN(value) && ordered != Double.doubleToLongBits(Double.NaN)) {
            throw in.corrupt("Not the NaN of keys");
        }
        return value;
    }

    /** Asserts that the key ends here. */
    public void end() {
        in.end();
    }
}
