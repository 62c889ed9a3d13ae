package io.polytable.sql.tier.storage;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A place for files. Paths have slashes and are relative to the storage's base. What replaces a file does so whole or not at
 * all, also after a crash; that a file is there, and whole, is sure after {@link #sync}. Every method throws {@link StorageFailure} when the storage fails.
 */
public interface Storage extends AutoCloseable {
    /** A local file to write before it is published under the path; a crash may leave it. */
    Path temporary(String path);

    /** Makes the temporary file the file of that path, and takes it away. */
    void publish(Path temporary, String path);

    /** Writes a small file, replacing the present one. */
    default void write(String path, byte[] content) {
        writeAll(Map.of(path, content));
    }

    /** Writes small files by their paths, each replacing the present one. After a failure some of them may be written. */
    void writeAll(Map<String, byte[]> files);

    /**
     * Makes all that was published and written until now outlive a crash. Once for many files: they are synced together, and a
     * directory only once however many there are in it.
     */
    default void sync() {
        // An object is durable when its upload ends.
    }

    Optional<byte[]> read(String path);

    /** Copies a file to a local one. */
    void fetch(String path, Path to);

    /** The file itself, where the storage is a directory of this machine. */
    Optional<Path> local(String path);

    /** Deletes the file if it is there, and directories that this leaves empty. */
    void delete(String path);

    /** All files below the path, in no order; temporary ones too. */
    void list(String path, Consumer<String> action);

    @Override
    default void close() {
        // Most hold nothing.
    }
}
