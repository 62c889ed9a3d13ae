package io.polytable.store.log.disk;

import java.io.IOException;
import java.util.List;

/**
 * The directory of a log, as the few file system operations that the log uses, so that tests can make each fail and can
 * simulate power loss.
 *
 * <p>{@link LogFile#force()} covers a file's bytes. Directory entries (created, renamed, deleted) are durable only
 * after {@link #syncDirectory()}.
 */
public interface LogFiles extends AutoCloseable {
    /** A file's name for messages. */
    String describe(String name);

    List<String> list() throws IOException;

    /** Creates and opens an empty file; an existing file of that name is truncated. */
    LogFile create(String name) throws IOException;

    LogFile open(String name) throws IOException;

    LogFile openToRead(String name) throws IOException;

    /** Renames, replacing an existing file. */
    void rename(String from, String to) throws IOException;

    /** Deletes the file if it exists. */
    void delete(String name) throws IOException;

    void syncDirectory() throws IOException;

    long modifiedMillis(String name) throws IOException;

    @Override
    void close() throws IOException;
}
