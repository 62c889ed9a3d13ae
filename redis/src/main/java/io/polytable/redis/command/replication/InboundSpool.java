package io.polytable.redis.command.replication;

import io.polytable.frontend.work.Background;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * What the primary sends while the file of a full synchronization is loaded: a temporary file, since the primary would
 * disconnect a replica that does not read for long.
 */
final class InboundSpool implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final long SIGN_NANOS = 500_000_000;

    private final PrimaryConnection primary;
    private final FileChannel file;
    private final Background thread = new Background("redis-primary-spool", Duration.ofSeconds(30));
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile boolean stops;

    InboundSpool(PrimaryConnection primary, Path directory) throws IOException {
        this.primary = primary;
        Path path = Files.createTempFile(directory, "temp-primary-", ".spool");
        this.file = FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        boolean unusedStarted = thread.now(this::run);
    }

    private void run() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            long signedNanos = System.nanoTime() - SIGN_NANOS;
            while (!stops) {
                if (System.nanoTime() - signedNanos >= SIGN_NANOS) {
                    signedNanos = System.nanoTime();
                    // Keeps the connection alive, and lets a primary without a file on disk begin its stream.
                    primary.acknowledge(0);
                }
                copy(buffer);
            }
            done.complete(null);
        } catch (IOException | RuntimeException failure) {
            done.completeExceptionally(failure);
        }
    }

    private void copy(byte[] buffer) throws IOException {
        try {
            int length = primary.input().read(buffer);
            if (length < 0) {
                throw new IOException("the primary closed the connection");
            }
            ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, length);
            while (bytes.hasRemaining()) {
                int unusedWritten = file.write(bytes);
            }
        } catch (SocketTimeoutException nothingYet) {
            // Looks again whether it should stop.
        }
    }

    /** Ends the copying; what was copied is read first, and the rest from the connection. */
    InputStream stop() throws IOException {
        stops = true;
        try {
            done.join();
        } catch (CompletionException failed) {
            throw new IOException("the primary's stream broke while its file was loaded", failed.getCause());
        }
        return Channels.newInputStream(file.position(0));
    }

    @Override
    public void close() throws IOException {
        stops = true;
        thread.close();
        file.close();
    }
}
