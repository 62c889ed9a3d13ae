package io.polytable.server.run;

import io.polytable.frontend.Findings;
import io.polytable.store.backup.Attachments;
import java.nio.file.Path;

/** The files outside the store that rows of a protocol name: flushed rows of SQL tables. */
public interface NamedFiles extends AutoCloseable {
    /** The files, for a backup. */
    Attachments attachments();

    /**
     * Verifies that the files are there and as they were written.
     *
     * @param deep reads all of them, not only their footers
     */
    Findings check(boolean deep);

    /** Where a deleted file of a storage in the directory is, if it is kept for a point-in-time restore. */
    Path deleted(Path base, String path);

    @Override
    void close();
}
