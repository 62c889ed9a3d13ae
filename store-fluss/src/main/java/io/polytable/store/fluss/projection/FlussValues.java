package io.polytable.store.fluss.projection;

import io.polytable.table.Bytes;
import io.polytable.table.column.Column;
import io.polytable.table.column.Value;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.row.TimestampNtz;
import org.jspecify.annotations.Nullable;

/** Conversion of values to and from Fluss' row types. */
final class FlussValues {
    static final int MICROSECONDS = 6;

    private static final long MICROS_PER_MILLI = 1000;
    private static final int NANOS_PER_MICRO = 1000;
    private static final long NUMBER_BYTES = 8;

    private FlussValues() {}

    static @Nullable Object encode(Value value) {
        if (value instanceof Value.OfBytes bytes) {
            return bytes.value().toByteArray();
        }
        if (value instanceof Value.OfString string) {
            return BinaryString.fromString(string.value());
        }
        if (value instanceof Value.OfInt number) {
            return number.value();
        }
        if (value instanceof Value.OfBigint number) {
            return number.value();
        }
        if (value instanceof Value.OfDouble number) {
            return number.value();
        }
        if (value instanceof Value.OfBoolean truth) {
            return truth.value();
        }
        if (value instanceof Value.OfTimestamp time) {
            return TimestampNtz.fromMillis(
                    Math.floorDiv(time.micros(), MICROS_PER_MILLI),
                    (int) Math.floorMod(time.micros(), MICROS_PER_MILLI) * NANOS_PER_MICRO);
        }
        return null;
    }

    /** Decodes a key column's value, which is never null. */
    static Value decode(Column column, InternalRow row, int at) {
        return switch (column.type()) {
            case BYTES -> new Value.OfBytes(Bytes.of(row.getBytes(at)));
            case STRING -> new Value.OfString(row.getString(at).toString());
            case BOOLEAN -> new Value.OfBoolean(row.getBoolean(at));
            case INT -> new Value.OfInt(row.getInt(at));
            case BIGINT -> new Value.OfBigint(row.getLong(at));
            case DOUBLE -> new Value.OfDouble(row.getDouble(at));
            case TIMESTAMP -> new Value.OfTimestamp(micros(row.getTimestampNtz(at, MICROSECONDS)));
        };
    }

    private static long micros(TimestampNtz time) {
        return time.getMillisecond() * MICROS_PER_MILLI + time.getNanoOfMillisecond() / NANOS_PER_MICRO;
    }

    /** Approximate size of a value. */
    static long sizeBytes(Value value) {
        if (value instanceof Value.OfBytes bytes) {
            return bytes.value().length();
        }
        return value instanceof Value.OfString string ? string.value().length() : NUMBER_BYTES;
    }
}
