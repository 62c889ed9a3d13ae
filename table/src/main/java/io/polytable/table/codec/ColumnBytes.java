package io.polytable.table.codec;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.SortOrder;
import io.polytable.table.column.Value;
import java.util.Map;

/** Encodes and decodes one column's value: in the ordered form of keys, or in the compact form of rows. */
final class ColumnBytes {
    private ColumnBytes() {}

    public static void writeKey(KeyWriter out, Column column, SortOrder order, Value value) {
        switch (column.type()) {
            case BYTES -> out.bytes(as(Value.OfBytes.class, value, column).value(), order);
            case STRING -> out.string(as(Value.OfString.class, value, column).value(), order);
            case BOOLEAN -> out.bool(as(Value.OfBoolean.class, value, column).value(), order);
            case INT -> out.i32(as(Value.OfInt.class, value, column).value(), order);
            case BIGINT -> out.i64(as(Value.OfBigint.class, value, column).value(), order);
            case DOUBLE -> out.f64(as(Value.OfDouble.class, value, column).value(), order);
            case TIMESTAMP -> out.i64(as(Value.OfTimestamp.class, value, column).micros(), order);
        }
    }

    static Value readKey(KeyReader in, Column column, SortOrder order) {
        return switch (column.type()) {
            case BYTES -> new Value.OfBytes(in.bytes(order));
            case STRING -> new Value.OfString(in.string(order));
            case BOOLEAN -> new Value.OfBoolean(in.bool(order));
            case INT -> new Value.OfInt(in.i32(order));
            case BIGINT -> new Value.OfBigint(in.i64(order));
            case DOUBLE -> new Value.OfDouble(in.f64(order));
            case TIMESTAMP -> new Value.OfTimestamp(in.i64(order));
        };
    }

    static void writeRow(BytesWriter out, Column column, Value value) {
        switch (column.type()) {
            case BYTES -> out.sized(as(Value.OfBytes.class, value, column).value());
            case STRING -> out.text(as(Value.OfString.class, value, column).value());
            case BOOLEAN -> out.u8(as(Value.OfBoolean.class, value, column).value() ? 1 : 0);
            case INT -> out.zigzag(as(Value.OfInt.class, value, column).value());
            case BIGINT -> out.zigzag(as(Value.OfBigint.class, value, column).value());
            case DOUBLE ->
                out.i64(Double.doubleToRawLongBits(
                        as(Value.OfDouble.class, value, column).value()));
            case TIMESTAMP -> out.i64(as(Value.OfTimestamp.class, value, column).micros());
        }
    }

    static Value readRow(BytesReader in, Column column) {
        return switch (column.type()) {
            case BYTES -> new Value.OfBytes(in.sized());
            case STRING -> new Value.OfString(in.text());
            case BOOLEAN -> new Value.OfBoolean(readBoolean(in));
            case INT -> new Value.OfInt(readInt(in));
            case BIGINT -> new Value.OfBigint(in.zigzag());
            case DOUBLE -> new Value.OfDouble(Double.longBitsToDouble(in.i64()));
            case TIMESTAMP -> new Value.OfTimestamp(in.i64());
        };
    }

    /** Adds what {@link #readKey} would return to the column's vector. */
    static void readKey(KeyReader in, SortOrder order, ColumnVector target) {
        if (target instanceof ColumnVector.OfLongs longs) {
            longs.add(in.i64(order));
        } else if (target instanceof ColumnVector.OfBytes bytes) {
            in.bytesTo(bytes, order);
        } else if (target instanceof ColumnVector.OfInts ints) {
            ints.add(in.i32(order));
        } else if (target instanceof ColumnVector.OfDoubles doubles) {
            doubles.add(in.f64(order));
        } else if (target instanceof ColumnVector.OfBooleans booleans) {
            booleans.add(in.bool(order));
        }
    }

    /** Adds what {@link #readRow} would return to the column's vector. Text stays UTF-8. */
    static void readRow(BytesReader in, ColumnVector target) {
        if (target instanceof ColumnVector.OfLongs longs) {
            longs.add(target.column().type() == ColumnType.TIMESTAMP ? in.i64() : in.zigzag());
        } else if (target instanceof ColumnVector.OfBytes bytes) {
            int length = in.count();
            bytes.add(in.array(), in.skip(length), length);
        } else if (target instanceof ColumnVector.OfInts ints) {
            ints.add(readInt(in));
        } else if (target instanceof ColumnVector.OfDoubles doubles) {
            doubles.add(Double.longBitsToDouble(in.i64()));
        } else if (target instanceof ColumnVector.OfBooleans booleans) {
            booleans.add(readBoolean(in));
        }
    }

    /** Skips a value of the type. */
    static void skipRow(BytesReader in, ColumnType type) {
        switch (type) {
            case BYTES, STRING -> in.skip(in.count());
            case BOOLEAN -> in.skip(1);
            case INT, BIGINT -> in.varint();
            case DOUBLE, TIMESTAMP -> in.skip(Long.BYTES);
        }
    }

    private static boolean readBoolean(BytesReader in) {
        int value = in.u8();
        if (value > 1) {
            throw in.corrupt("Not a boolean");
        }
        return value == 1;
    }

    private static int readInt(BytesReader in) {
        long value = in.zigzag();
        if (value != (int) value) {
            throw in.corrupt("Not an INT");
        }
        return (int) value;
    }

    private static <V extends Value> V as(Class<V> wanted, Value value, Column column) {
        if (!wanted.isInstance(value)) {
            throw new StoreException(
                    StoreError.BAD_VALUE,
                    "A value does not fit its column",
                    Map.of("column", column.name(), "type", column.type(), "value", value));
        }
        return wanted.cast(value);
    }
}
