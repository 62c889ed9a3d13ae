package io.polytable.server.run;

import io.polytable.store.backup.Attachments;

/** The files outside the store that rows of a protocol name: flushed rows of SQL tables. */
public interface FaceFiles extends AutoCloseable {
    /** The files, for a backup. */
    Attachments attachments();

    /**
     * Verifies that the files are there and as they were written.
     *
     * @param deep reads all of them, not only their footers
     */
    Findings check(boolean deep);

    @Override
    void close();
}
