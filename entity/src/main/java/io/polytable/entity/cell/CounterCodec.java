package io.polytable.entity.cell;

import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;

/** The codec of counters: eight big-endian bytes, which stores can increment. */
final class CounterCodec implements CellCodec {
    private final String column;

    CounterCodec(String column) {
        this.column = column;
    }

    @Override
    public Bytes encode(Object value) {
        if (value instanceof Long || value instanceof Integer) {
            return new BytesWriter(Long.BYTES).i64(((Number) value).longValue()).toBytes();
        }
        throw BadValue.of(column, "A counter is a whole number", value);
    }

    @Override
    public Object decode(Bytes stored, ReadAs as) {
        if (stored.length() != Long.BYTES) {
            throw BadValue.of(column, "A counter has eight bytes", stored.length() + " bytes", null);
        }
        return new BytesReader(stored).i64();
    }
}
