package io.polytable.redis.model.rdb;

import io.polytable.redis.model.dump.Crc64;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Verifies a file before anything of it is imported. */
public final class RdbChecksum {
    private static final int BUFFER_BYTES = 1 << 16;

    private RdbChecksum() {}

    /**
     * Reads the whole file.
     *
     * @throws RdbException when it has a checksum at its end that is not its own
     */
    public static void verify(InputStream in, long size) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long crc = 0;
        long left = Math.max(0, size - Long.BYTES);
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(BUFFER_BYTES, left));
            if (read < 0) {
                throw new RdbException("The RDB file became shorter", size - left);
            }
            crc = Crc64.update(crc, buffer, 0, read);
            left -= read;
        }
        byte[] end = in.readNBytes(Long.BYTES);
        long written = end.length < Long.BYTES
                ? 0
                : ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (written != 0 && written != crc) {
            throw new RdbException("The RDB file is damaged or not complete: its checksum is wrong", size);
        }
    }
}
