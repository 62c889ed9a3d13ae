package io.polytable.entity.cell;

import io.polytable.table.Bytes;
import java.nio.ByteBuffer;

/** The codec of raw bytes: the identity. */
final class BytesCodec implements CellCodec {
    private final String column;

    BytesCodec(String column) {
        this.column = column;
    }

    @Override
    public Bytes encode(Object value) {
        if (value instanceof byte[] array) {
            return Bytes.of(array.clone());
        }
        if (value instanceof Bytes bytes) {
            return bytes;
        }
        if (value instanceof ByteBuffer buffer) {
            byte[] array = new byte[buffer.remaining()];
            buffer.duplicate().get(array);
            return Bytes.of(array);
        }
        throw BadValue.of(column, "The column holds bytes", value);
    }

    @Override
    public Object decode(Bytes stored, ReadAs as) {
        return stored.toByteArray();
    }
}
