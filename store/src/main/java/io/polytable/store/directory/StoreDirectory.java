package io.polytable.store.directory;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A data directory. {@code FORMAT} holds the format version, {@code LOCK} is locked by the process that has it open,
 * {@code log} and {@code state} are the engine's two halves.
 */
public final class StoreDirectory implements AutoCloseable {
    /** Raised when older code can no longer read what newer code writes. */
    static final int FORMAT_VERSION = 1;

    private static final String LOCK_FILE = "LOCK";
    /** The plan of a salvage, which is there until the salvage is complete. */
    public static final String SALVAGE_FILE = "SALVAGE";

    private static final String FORMAT_FILE = "FORMAT";
    private static final String FORMAT_PREFIX = "polytable-store ";

    private final Path path;
    private final ProcessLock lock;
    private final AtomicInteger holders = new AtomicInteger(1);
    private final AtomicInteger imageCount = new AtomicInteger();

    private StoreDirectory(Path path, ProcessLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Locks the directory for this process, creating it if missing, and completes an interrupted change of logs. */
    public static StoreDirectory lock(Path path) {
        try {
            DiskSync.createDirectories(path);
            ProcessLock lock = ProcessLock.tryLock(path, LOCK_FILE)
                    .orElseThrow(() -> new StoreException(
                            StoreError.IN_USE, "Another process has the data directory open", Map.of("path", path)));
            finishLogChange(path, lock);
            return new StoreDirectory(path, lock);
        } catch (IOException e) {
            throw io("Cannot use the data directory", path, e);
        }
    }

    /**
     * Completes a change of logs that a crash interrupted. The new log is complete and durable before the old one is
     * deleted.
     */
    private static void finishLogChange(Path path, ProcessLock lock) throws IOException {
        Path present = presentLogOf(path);
        if (present.equals(logOf(path))) {
            return;
        }
        try {
            Files.move(present, logOf(path), StandardCopyOption.ATOMIC_MOVE);
            DiskSync.FSYNC.sync(path);
        } catch (IOException e) {
            // No StoreDirectory exists yet that could do it.
            lock.close();
            throw e;
        }
    }

    /** Adds a holder, which must close it too: the directory stays locked until the last holder closes it. */
    public StoreDirectory share() {
        holders.incrementAndGet();
        return this;
    }

    public Path path() {
        return path;
    }

    public Path log() {
        return logOf(path);
    }

    /** The directory of the log, or of the file that says where the log is. */
    public static Path logOf(Path directory) {
        return directory.resolve("log");
    }

    /** The directory of the present log, even if a change of logs was interrupted that {@link #lock} will complete. */
    public static Path presentLogOf(Path directory) {
        boolean isChanging = !Files.exists(logOf(directory)) && Files.exists(nextLogOf(directory));
        return isChanging ? nextLogOf(directory) : logOf(directory);
    }

    /** The directory of a log that is about to replace the present one. */
    public static Path nextLogOf(Path directory) {
        return directory.resolve("log.new");
    }

    public Path state() {
        return stateOf(path);
    }

    public static Path stateOf(Path directory) {
        return directory.resolve("state");
    }

    /** A fresh temporary directory for an image of the state, on the state's disk so that files can be hard-linked. */
    public Path newImage() {
        try {
            Files.createDirectories(images());
            return images().resolve(Integer.toString(imageCount.incrementAndGet()));
        } catch (IOException e) {
            throw io("Cannot make a directory", images(), e);
        }
    }

    private Path images() {
        return path.resolve("image.tmp");
    }

    /** Deletes images that a killed process left behind. */
    public void deleteImages() {
        deleteTree(images());
    }

    /** Whether there is neither a log nor a state. */
    public boolean isEmpty() {
        return !Files.exists(log()) && !Files.exists(state());
    }

    /** Whether the content is complete: data without the mark is what an interrupted restore left. */
    public boolean isMarked() {
        return isWritten(path.resolve(FORMAT_FILE));
    }

    /** An empty file is no mark: older versions created it before they wrote it, and may have been interrupted. */
    static boolean isWritten(Path file) {
        try {
            return Files.exists(file) && Files.size(file) > 0;
        } catch (IOException e) {
            throw io("Cannot read", file, e);
        }
    }

    /**
     * Deletes log and state. The mark is deleted first: after a crash, the remains must not be taken for complete data.
     * The log of an interrupted change comes next: without the present log it would be taken for that.
     */
    public void clear() {
        try {
            Files.deleteIfExists(path.resolve(FORMAT_FILE));
        } catch (IOException e) {
            throw io("Cannot delete", path.resolve(FORMAT_FILE), e);
        }
        for (Path part : List.of(nextLogOf(path), log(), state())) {
            deleteTree(part);
        }
    }

    /** Deletes the directory with its content, if it exists. */
    public static void deleteTree(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw io("Cannot delete", directory, e);
        }
    }

    /** Moves a directory to a path that does not exist yet, across disks if need be. */
    public static void moveTree(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            copyTree(from, to);
            deleteTree(from);
        } catch (IOException e) {
            throw io("Cannot move the files", from, e);
        }
    }

    public static void copyTree(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        } catch (IOException e) {
            throw io("Cannot copy the files", from, e);
        }
    }

    /** Refuses data of a newer version and the remains of an interrupted restore; marks a new directory. */
    public void checkFormat() {
        if (Files.exists(path.resolve(SALVAGE_FILE))) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "A salvage was interrupted: run polytable repair --salvage again",
                    Map.of("path", path));
        }
        Path file = path.resolve(FORMAT_FILE);
        if (!isWritten(file)) {
            if (!isEmpty()) {
                throw new StoreException(
                        StoreError.CORRUPT,
                        "The data directory has no FORMAT file: a restore into it did not finish, or the file was lost",
                        Map.of("path", file));
            }
            markFormat(path);
            return;
        }
        int version = version(file);
        if (version > FORMAT_VERSION) {
            throw new StoreException(
                    StoreError.NEWER_FORMAT,
                    "The data was written by a newer version of Polytable",
                    Map.of("path", path, "format", version, "known", FORMAT_VERSION));
        }
    }

    private static int version(Path file) {
        try {
            String text = Files.readString(file).strip();
            if (text.startsWith(FORMAT_PREFIX)) {
                return Integer.parseInt(text.substring(FORMAT_PREFIX.length()));
            }
            throw new StoreException(StoreError.CORRUPT, "Not a data directory's format", Map.of("path", file));
        } catch (NumberFormatException e) {
            throw new StoreException(StoreError.CORRUPT, "Not a data directory's format", Map.of("path", file), e);
        } catch (IOException e) {
            throw io("Cannot read", file, e);
        }
    }

    public static void markFormat(Path directory) {
        Path file = directory.resolve(FORMAT_FILE);
        try {
            DiskSync.FSYNC.replace(file, FORMAT_PREFIX + FORMAT_VERSION + "\n");
        } catch (IOException e) {
            throw io("Cannot write", file, e);
        }
    }

    public static StoreException io(String text, Path path, IOException cause) {
        return new StoreException(StoreError.IO, text, Map.of("path", path, "cause", String.valueOf(cause)), cause);
    }

    @Override
    public void close() {
        if (holders.decrementAndGet() > 0) {
            return;
        }
        try {
            lock.close();
        } catch (IOException e) {
            throw io("Cannot release the data directory", path, e);
        }
    }
}
