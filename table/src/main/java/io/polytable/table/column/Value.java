package io.polytable.table.column;

import io.polytable.table.Bytes;

/** A column's value as an object, for readers that want columns rather than bytes. Hot paths do not use it. */
public sealed interface Value {
    record OfBytes(Bytes value) implements Value {}

    record OfString(String value) implements Value {}

    record OfBoolean(boolean value) implements Value {}

    record OfInt(int value) implements Value {}

    record OfBigint(long value) implements Value {}

    record OfDouble(double value) implements Value {}

    /** Microseconds since 1970 in UTC. */
    record OfTimestamp(long micros) implements Value {}

    record Absent() implements Value {}
}
