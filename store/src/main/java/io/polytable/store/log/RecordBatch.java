package io.polytable.store.log;

/**
 * A group of records that is written at once, in the layout of {@link RecordBatchFormat}. The engine reserves the
 * header's bytes and {@link RecordBatchFormat#seal} fills them.
 *
 * @param offset where the header starts
 * @param length header and records, a multiple of four
 * @param first the position of the first record
 * @param count the number of records, at least one
 * @param ticket an upper bound of the tickets used by these records
 */
@SuppressWarnings("ArrayRecordComponent") // a handle on shared memory; nobody compares or keeps it
public record RecordBatch(byte[] array, int offset, int length, long first, int count, long ticket) {
    public long last() {
        return first + count - 1;
    }

    /** Checks that the batch directly follows the log's last record. */
    public void requireFollows(long end) {
        if (first != end + 1 || count < 1 || length % 4 != 0) {
            throw new IllegalStateException("A batch must follow on " + end + ", not be " + this);
        }
    }
}
