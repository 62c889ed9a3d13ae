package io.polytable.redis.command.replication;

import io.polytable.frontend.work.BackgroundJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the backlog receives while a replica is still loading its RDB file: a temporary file, since that may take longer
 * than the backlog lasts.
 */
final class Spool implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final long WAIT_MILLIS = 100;

    private final Backlog backlog;
    private final FileChannel file;
    private final long begin;
    private final BackgroundJob copying;
    private volatile long written;
    private volatile boolean stops;
    private volatile boolean broken;

    /** @param begin the offset of the first byte of the file */
    Spool(Backlog backlog, Path directory, long begin, String name) throws IOException {
        this.backlog = backlog;
        this.begin = begin;
        Path path = Files.createTempFile(directory, "temp-replica-", ".spool");
        this.file = FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        this.copying = BackgroundJob.started(name, this::run);
    }

    private void run() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            while (true) {
                boolean last = stops;
                int length = backlog.read(begin + written, buffer, last ? 1 : WAIT_MILLIS);
                if (length < 0) {
                    broken = true;
                    return;
                }
                if (length == 0 && last) {
                    return;
                }
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, length);
                long at = written;
                while (bytes.hasRemaining()) {
                    at += file.write(bytes, at);
                }
                written = at;
                if (last) {
                    return;
                }
            }
        } catch (IOException | InterruptedException failure) {
            broken = true;
        }
    }

    /** Ends the copying; everything up to the returned offset can be read from here, the rest from the backlog. */
    long stop() throws IOException {
        stops = true;
        copying.awaitEnd();
        if (broken) {
            throw new IOException("the changes during the synchronization were too many for the backlog and the disk");
        }
        return begin + written;
    }

    /** Whether the copying keeps up. */
    boolean isBroken() {
        return broken;
    }

    /** The offset up to which bytes were copied so far. */
    long end() {
        return begin + written;
    }

    /** Reads copied bytes from the offset on. */
    int read(long offset, byte[] target) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(target, 0, (int) Math.min(target.length, end() - offset));
        return file.read(bytes, offset - begin);
    }

    @Override
    public void close() throws IOException {
        stops = true;
        copying.interrupt();
        file.close();
    }
}
