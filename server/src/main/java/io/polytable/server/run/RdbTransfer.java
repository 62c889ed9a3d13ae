package io.polytable.server.run;

import io.polytable.frontend.Progress;
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

    /**
     * Imports a file and returns a sentence about it.
     *
     * @param notes where to note how far it is
     * @throws RefusedException when the file cannot be read, or not be stored
     */
    String importFrom(Path file, Path notes, ImportOptions options, Progress progress);

    /** How to move the keys of a running Redis here. */
    enum LiveMode {
        /** As its replica, which this server stays. */
        FOLLOW,
        /** As FOLLOW, also if keys are here that must be deleted. */
        REPLACE,
        /** Ends FOLLOW: holds the writers of the source. */
        CUT_OVER,
        /** Ends FOLLOW when the writers were stopped. */
        CUT_OVER_STOPPED,
        /** Key by key. */
        COPY
    }

    /** Where a Redis listens. */
    record LiveSource(String host, int port) {
        /**
         * Returns the address that a text names.
         *
         * @throws RefusedException when the text is no HOST:PORT
         */
        public static LiveSource parse(String text) {
            int colon = text.lastIndexOf(':');
            try {
                int port = Integer.parseInt(text.substring(colon + 1));
                if (colon > 0 && port > 0 && port <= 65535) {
                    return new LiveSource(text.substring(0, colon), port);
                }
            } catch (NumberFormatException invalid) {
                throw new RefusedException(text + " is not HOST:PORT", invalid);
            }
            throw new RefusedException(text + " is not HOST:PORT");
        }
    }

    /**
     * Moves the keys of a running Redis here, compares all, and returns a sentence about them.
     *
     * @param notes where a copy notes how far it is
     * @throws RefusedException when the source refuses, or keys differ
     */
    String importLive(LiveSource source, LiveMode mode, Path notes, Progress progress);

    /**
     * Exports all keys and returns a sentence about it.
     *
     * @throws RefusedException when the file cannot be written
     */
    String exportTo(Path file, Progress progress);

    @Override
    void close();
}
