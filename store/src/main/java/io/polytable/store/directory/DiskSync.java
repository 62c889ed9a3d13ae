package io.polytable.store.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Fsync of files and directories. Without it, a file that was written or renamed may be empty or missing after a power
 * loss.
 */
public interface DiskSync {
    DiskSync FSYNC = path -> {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    };

    void sync(Path fileOrDirectory) throws IOException;

    /**
     * Syncs the whole tree, files before directories: a name must never be durable before the bytes of its file. Lock
     * files of this process are left out: they are empty, and opening one would release its lock.
     */
    default void syncTree(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && !ProcessLock.isHeld(path)) {
                    sync(path);
                }
            }
            for (Path path : deepestFirst) {
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    sync(path);
                }
            }
        }
    }

    /** Writes a small file durably: after a crash it has its former content, if any, or all of the new one. */
    default void replace(Path file, String text) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(unfinished, text);
        sync(unfinished);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            sync(parent);
        }
    }

    /**
     * Creates the directory and its missing parents, and syncs them. Only the owner can read them: whoever can read the
     * directory can read all users' data.
     */
    static void createDirectories(Path directory) throws IOException {
        FSYNC.create(directory);
    }

    /** As {@link #createDirectories}, synced by this. */
    default void create(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        if (!Files.isDirectory(absolute)) {
            createOnce(absolute);
        }
    }

    /**
     * As {@link #createDirectories}, for a caller that needs exclusive creation.
     *
     * @throws java.nio.file.FileAlreadyExistsException if it exists, perhaps just created by another thread or process
     */
    static void createNew(Path directory) throws IOException {
        FSYNC.createOnce(directory);
    }

    private void createOnce(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        if (parent == null) {
            Files.createDirectory(absolute);
            return;
        }
        create(parent);
        Files.createDirectory(absolute, ownerOnly(parent));
        sync(parent);
    }

    private static FileAttribute<?>[] ownerOnly(Path parent) throws IOException {
        return Files.getFileStore(parent).supportsFileAttributeView("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }
}
