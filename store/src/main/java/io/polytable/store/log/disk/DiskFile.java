package io.polytable.store.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file on disk.
 *
 * <p>Java closes a channel when a thread that uses it is interrupted. A caller that gives up waiting must not take the
 * log down with it, so an interrupted read or write is repeated on a new channel, which is safe because positional I/O
 * is idempotent. A force has its own channel, because it cannot be repeated: the error that the first one would have
 * reported is lost.
 */
final class DiskFile implements LogFile {
    private final Path path;
    private final Set<? extends OpenOption> options;
    private final @Nullable FileChannel forced;
    private volatile FileChannel channel;
    private volatile boolean closed;

    private DiskFile(Path path, Set<? extends OpenOption> options, @Nullable FileChannel forced, FileChannel channel) {
        this.path = path;
        this.options = options;
        this.forced = forced;
        this.channel = channel;
    }

    static DiskFile open(Path path) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel channel = FileChannel.open(path, options);
        try {
            return new DiskFile(path, options, FileChannel.open(path, options), channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static DiskFile openToRead(Path path) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.READ);
        return new DiskFile(path, options, null, FileChannel.open(path, options));
    }

    @Override
    public long size() throws IOException {
        return java.nio.file.Files.size(path);
    }

    @Override
    public int write(ByteBuffer source, long at) throws IOException {
        boolean interrupted = Thread.interrupted();
        int start = source.position();
        try {
            while (true) {
                FileChannel current = channel;
                try {
                    return current.write(source, at);
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    source.position(start);
                    reopen(current, e);
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    @Override
    public int read(ByteBuffer target, long at) throws IOException {
        boolean interrupted = Thread.interrupted();
        int start = target.position();
        try {
            while (true) {
                FileChannel current = channel;
                try {
                    return current.read(target, at);
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    target.position(start);
                    reopen(current, e);
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void reopen(FileChannel stale, ClosedChannelException why) throws IOException {
        if (closed) {
            throw why;
        }
        if (channel == stale) {
            channel = FileChannel.open(path, options);
        }
    }

    @Override
    public void force() throws IOException {
        if (forced == null) {
            throw new IOException("The file is open for reading only");
        }
        boolean interrupted = Thread.interrupted();
        try {
            forced.force(false);
        } finally {
            restore(interrupted);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try {
            channel.close();
        } finally {
            if (forced != null) {
                forced.close();
            }
        }
    }
}
