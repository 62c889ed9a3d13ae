package io.polytable.server.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A data directory, locked by this process until closed. */
public final class DataDirectory implements AutoCloseable {
    private static final String LOCK_FILE = "polytable.lock";
    private static final String STORE = "store";

    /**
     * Directories that this process has locked. The operating system's lock belongs to the process, and closing any
     * handle of the file releases it: so a second attempt in the same process must not even open the file.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Creates the directory if it is missing, and locks it; empty if another process holds the lock. */
    public static Optional<DataDirectory> createAndHold(Path path) {
        try {
            if (!Files.isDirectory(path)) {
                // Whoever may read the directory may read all data, and the admin token.
                Files.createDirectories(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
        } catch (NoSuchFileException missing) {
            // Missing parents are created, so this file system refuses new directories: /proc does.
            throw new RefusedException(
                    "The data directory " + path + " cannot be created: its file system does not allow new"
                            + " directories; choose another one with --data.dir",
                    missing);
        } catch (IOException failure) {
            throw new RefusedException(
                    "The data directory " + path + " cannot be created: " + reason(failure), failure);
        }
        return hold(path);
    }

    /** Locks a directory that must exist; empty if another process holds the lock. */
    public static Optional<DataDirectory> holdExisting(Path path) {
        if (!Files.isDirectory(path)) {
            throw new RefusedException("There is no data directory " + path + "; --data.dir says which one");
        }
        return hold(path);
    }

    private static Optional<DataDirectory> hold(Path path) {
        try {
            Path real = path.toRealPath();
            if (!HELD.add(real)) {
                return Optional.empty();
            }
            Optional<DataDirectory> held = lock(real);
            if (held.isEmpty()) {
                HELD.remove(real);
            }
            return held;
        } catch (IOException failure) {
            throw new RefusedException(
                    "The data directory " + path + " cannot be written: " + reason(failure), failure);
        }
    }

    private static Optional<DataDirectory> lock(Path path) throws IOException {
        FileChannel channel = null;
        boolean locked = false;
        try {
            channel = FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                return Optional.empty();
            }
            ServerFile.delete(path);
            locked = true;
            return Optional.of(new DataDirectory(path, channel));
        } finally {
            if (!locked) {
                HELD.remove(path);
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }

    public Path path() {
        return path;
    }

    /** The engine's subdirectory. */
    public Path store() {
        return path.resolve(STORE);
    }

    @Override
    public void close() {
        try {
            ServerFile.delete(path);
            channel.close();
        } catch (IOException failure) {
            throw new RefusedException("The data directory " + path + " was not released cleanly: " + failure, failure);
        } finally {
            HELD.remove(path);
        }
    }

    static String reason(IOException failure) {
        if (failure instanceof FileAlreadyExistsException exists) {
            return exists.getFile() + " is a file";
        }
        if (failure instanceof AccessDeniedException denied) {
            return "permission denied for " + denied.getFile();
        }
        if (failure instanceof NoSuchFileException missing) {
            return missing.getFile() + " does not exist";
        }
        if (failure instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return failure.toString();
    }
}
