package io.polytable.sql.tier.storage;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A storage for files. Paths have slashes and are relative to the storage's base. A file is replaced atomically, also
 * across a crash. A new file is durable after {@link #sync}. Every method throws {@link StorageFailure} when the
 * storage fails.
 */
public interface Storage extends AutoCloseable {
    /** A local file to write, and then to publish under the path; a crash may leave it behind. */
    Path temporary(String path);

    /** Moves the temporary file to the path. */
    void publish(Path temporary, String path);

    /** Writes a small file, replacing an existing one. */
    default void write(String path, byte[] content) {
        writeAll(Map.of(path, content));
    }

    /** Writes small files by path, each replacing an existing one. After a failure some of them may be written. */
    void writeAll(Map<String, byte[]> files);

    /**
     * Makes everything published and written so far durable. Call it once for many files: they are synced together, and
     * each directory once.
     */
    default void sync() {
        // An object is durable when its upload ends.
    }

    Optional<byte[]> read(String path);

    /** Copies a file to a local one. */
    void fetch(String path, Path to);

    /** Length and version of the file; empty if it does not exist. */
    Optional<FileStatus> status(String path);

    /** The file itself if the storage is a local directory. */
    Optional<Path> local(String path);

    /** Deletes the file if it exists, and directories that become empty. */
    void delete(String path);

    /** Removes files that were deleted long enough ago. */
    default void removeDeleted() {
        // An object storage keeps deleted objects if the bucket has versions.
    }

    /** Lists all files below the path, unordered, including temporary ones. */
    void list(String path, Consumer<String> action);

    @Override
    default void close() {
        // Most storages hold no resources.
    }
}
