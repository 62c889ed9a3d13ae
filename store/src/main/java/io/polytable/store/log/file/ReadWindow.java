package io.polytable.store.log.file;

import io.polytable.store.log.disk.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A read-ahead buffer: reads a file in large pieces and serves small ones. */
final class ReadWindow {
    static final int WINDOW_BYTES = 256 << 10;

    private byte[] array = new byte[0];
    private long start;
    private int length;

    byte[] array() {
        return array;
    }

    /** The array index of a file offset. */
    int index(long at) {
        return (int) (at - start);
    }

    boolean covers(long at, int bytes) {
        return at >= start && at + bytes <= start + length;
    }

    void clear() {
        length = 0;
    }

    /** Reads the bytes, and more after them up to the window size and the limit; false if the file ends before. */
    boolean fill(LogFile file, long at, int bytes, long limit) throws IOException {
        long wanted = Math.min(Math.max(bytes, WINDOW_BYTES), limit - at);
        if (wanted < bytes) {
            return false;
        }
        // One huge batch must not hold its memory for the rest of the scan.
        if (array.length < wanted || (array.length > WINDOW_BYTES && wanted <= WINDOW_BYTES)) {
            array = new byte[(int) Math.max(wanted, Math.min(WINDOW_BYTES, limit))];
        }
        start = at;
        length = 0;
        while (length < wanted) {
            // In pieces: per thread, the JDK keeps a direct buffer as large as the largest read.
            int piece = (int) Math.min(WINDOW_BYTES, wanted - length);
            int read = file.read(ByteBuffer.wrap(array, length, piece), at + length);
            if (read < 0) {
                break;
            }
            length += read;
        }
        return length >= bytes;
    }
}
