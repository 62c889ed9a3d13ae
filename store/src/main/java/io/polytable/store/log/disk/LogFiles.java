package io.polytable.store.log.disk;

import java.io.IOException;
import java.util.List;

/**
 * The directory of a log: the few things the log asks of a file system, so that tests can let each of them fail and can
 * pull the plug.
 *
 * <p>What {@link LogFile#force()} covers is a file's bytes. Names (created, renamed, deleted) are certain to survive
 * only after {@link #syncDirectory()}.
 */
public interface LogFiles extends AutoCloseable {
    /** What messages call a file. */
    String describe(String name);

    List<String> list() throws IOException;

    /** Opens a new, empty file; one of that name that exists already is emptied. */
    LogFile create(String name) throws IOException;

    LogFile open(String name) throws IOException;

    LogFile openToRead(String name) throws IOException;

    /** Renames, in place of a file that has the name already. */
    void rename(String from, String to) throws IOException;

    /** Deletes the file if it is there. */
    void delete(String name) throws IOException;

    void syncDirectory() throws IOException;

    long modifiedMillis(String name) throws IOException;

    @Override
    void close() throws IOException;
}
