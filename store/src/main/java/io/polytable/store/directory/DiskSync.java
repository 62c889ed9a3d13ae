package io.polytable.store.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Brings a file's bytes, or a directory's names, to the disk: without it a file that was written, or renamed, may be empty
 * or gone after a power loss.
 */
public interface DiskSync {
    DiskSync FSYNC = path -> {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    };

    void sync(Path fileOrDirectory) throws IOException;

    /** Everything beneath the directory, and the directory; names last, so that they never show files without bytes. */
    default void syncTree(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
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

    /**
     * Creates the directory with its parents, as far as they are missing: readable by their owner alone, for whoever may
     * read them may read everybody's data; and certain to be there after a power loss.
     */
    static void createDirectories(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        if (!Files.isDirectory(absolute)) {
            createNew(absolute);
        }
    }

    /**
     * As {@link #createDirectories}, for whoever wants the directory for itself.
     *
     * @throws java.nio.file.FileAlreadyExistsException when it is there, made by another thread or process a moment ago
     */
    static void createNew(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        if (parent == null) {
            Files.createDirectory(absolute);
            return;
        }
        createDirectories(parent);
        Files.createDirectory(absolute, ownerOnly(parent));
        FSYNC.sync(parent);
    }

    private static FileAttribute<?>[] ownerOnly(Path parent) throws IOException {
        return Files.getFileStore(parent).supportsFileAttributeView("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }
}
