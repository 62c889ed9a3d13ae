package io.polytable.store.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file with positional reads and writes; thread-safe. */
public interface LogFile extends AutoCloseable {
    long size() throws IOException;

    /** Writes some of the bytes, at least one, with one system call; returns how many. */
    int write(ByteBuffer source, long at) throws IOException;

    /** Reads some bytes; returns how many, -1 at the end of the file. */
    int read(ByteBuffer target, long at) throws IOException;

    /** Syncs all bytes written so far and the size, not the timestamps (fdatasync). */
    void force() throws IOException;

    @Override
    void close() throws IOException;

    default void writeAll(ByteBuffer source, long at) throws IOException {
        long place = at;
        while (source.hasRemaining()) {
            int written = write(source, place);
            if (written <= 0) {
                throw new IOException("Nothing was written");
            }
            place += written;
        }
    }

    /** Reads until the target is full or the file ends; returns the number of bytes. */
    default int readAll(ByteBuffer target, long at) throws IOException {
        int total = 0;
        while (target.hasRemaining()) {
            int read = read(target, at + total);
            if (read < 0) {
                break;
            }
            total += read;
        }
        return total;
    }
}
