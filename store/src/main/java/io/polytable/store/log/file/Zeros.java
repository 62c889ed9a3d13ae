package io.polytable.store.log.file;

import io.polytable.store.log.disk.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes zeros, so that the file system has allocated the space before it is needed. */
final class Zeros {
    static final int CHUNK_BYTES = 1 << 20;

    private static final ByteBuffer CHUNK =
            ByteBuffer.allocateDirect(CHUNK_BYTES).asReadOnlyBuffer();

    private Zeros() {}

    static void write(LogFile file, long from, long to) throws IOException {
        for (long at = from; at < to; at += CHUNK_BYTES) {
            file.writeAll(CHUNK.duplicate().limit((int) Math.min(CHUNK_BYTES, to - at)), at);
        }
    }
}
