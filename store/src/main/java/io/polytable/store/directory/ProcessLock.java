package io.polytable.store.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive lock on a file, held by this process until it is closed.
 *
 * <p>POSIX releases a process' lock on a file as soon as the process closes <em>any</em> descriptor of that file. A
 * second attempt to lock it must therefore be refused before the file is opened, and nothing else may open it.
 */
public final class ProcessLock implements AutoCloseable {
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private ProcessLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Locks the file, creating it if missing; empty while this or another process holds the lock. */
    public static Optional<ProcessLock> tryLock(Path directory, String name) throws IOException {
        // One file must not have two names here.
        Path file = directory.toRealPath().resolve(name);
        if (!HELD.add(file)) {
            return Optional.empty();
        }
        FileChannel channel = null;
        ProcessLock taken = null;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            taken = lock(channel) == null ? null : new ProcessLock(file, channel);
            return Optional.ofNullable(taken);
        } finally {
            if (taken == null) {
                release(file, channel);
            }
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Held by a class of another class loader.
            return null;
        }
    }

    /** Whether this process holds a lock on the file, which then must not be opened. */
    static boolean isHeld(Path file) throws IOException {
        return !HELD.isEmpty() && Files.exists(file) && HELD.contains(file.toRealPath());
    }

    private static void release(Path file, @Nullable FileChannel channel) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            HELD.remove(file);
        }
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            release(file, channel);
        }
    }
}
