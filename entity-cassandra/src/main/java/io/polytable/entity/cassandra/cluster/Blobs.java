package io.polytable.entity.cassandra.cluster;

import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Conversions between bytes and the driver's buffers. */
public final class Blobs {
    private Blobs() {}

    public static ByteBuffer of(Bytes bytes) {
        return ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length());
    }

    public static Bytes bytes(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            return Bytes.EMPTY;
        }
        byte[] array = new byte[buffer.remaining()];
        buffer.duplicate().get(array);
        return Bytes.of(array);
    }
}
