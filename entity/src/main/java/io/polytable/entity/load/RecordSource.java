package io.polytable.entity.load;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The records of a file, one after the other. Not thread safe; close it. */
public interface RecordSource extends AutoCloseable {
    /**
     * A record.
     *
     * @param number of the line or, where there are no lines, of the record, from 1
     * @param fields what the record has, by field; absent and null fields are left out
     * @param original the record as it stood in the file, or as near to that as text can be
     */
    record Fields(long number, Map<String, Object> fields, String original) {}

    /**
     * The next record, empty at the end; {@link BadRecord} for an unreadable one, after which reading may continue.
     */
    Optional<Fields> next() throws IOException, BadRecord;

    /** Whether the file has a header with all field names. */
    boolean hasHead();

    /** Whether the file has the field; without a header, whether a record so far has it, even as null. */
    boolean has(String field);

    /** How many bytes of the file have been read, for progress. */
    long bytesRead();

    @Override
    void close() throws IOException;

    /** A record that is not of the file's format. */
    final class BadRecord extends Exception {
        private static final long serialVersionUID = 1L;

        private final long number;
        private final String original;

        BadRecord(long number, String original, String reason) {
            super(reason);
            this.number = number;
            this.original = original;
        }

        long number() {
            return number;
        }

        String original() {
            return original;
        }
    }
}
