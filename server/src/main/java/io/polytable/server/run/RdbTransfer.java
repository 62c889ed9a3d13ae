package io.polytable.server.run;

import java.nio.file.Path;

/** Moves the keys of the Redis protocol in and out as RDB files. */
public interface RdbTransfer extends AutoCloseable {
    /** Where an import notes how far it is, so that the next one can continue. */
    static Path notes(Path dataDirectory) {
        return dataDirectory.resolve("import-rdb.notes");
    }

    /**
     * How to import.
     *
     * @param skipsFunctions whether libraries of functions are left out
     * @param restarts whether to begin again, although an earlier import of the file was interrupted
     */
    record ImportOptions(boolean skipsFunctions, boolean restarts) {}

    /** Receives how much is done, of how much; it may throw to end the work. */
    @FunctionalInterface
    interface Progress {
        void at(long done, long total);
    }

    /**
     * Imports a file and returns a sentence about it.
     *
     * @param notes where to note how far it is
     * @throws RefusedException when the file cannot be read, or not be stored
     */
    String importFrom(Path file, Path notes, ImportOptions options, Progress progress);

    /**
     * Exports all keys and returns a sentence about it.
     *
     * @throws RefusedException when the file cannot be written
     */
    String exportTo(Path file, Progress progress);

    @Override
    void close();
}
