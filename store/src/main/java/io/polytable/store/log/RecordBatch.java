package io.polytable.store.log;

/**
 * Records that are written together, laid out as {@link RecordBatchFormat} says. The header's bytes are reserved by the
 * engine and filled by {@link RecordBatchFormat#seal}.
 *
 * @param offset where the header starts
 * @param length header and records, a multiple of four
 * @param first the position of the first record
 * @param count how many records, at least one
 * @param ticket every ticket used by these records is at most this
 */
@SuppressWarnings("ArrayRecordComponent") // a handle on shared memory; nobody compares or keeps it
public record RecordBatch(byte[] array, int offset, int length, long first, int count, long ticket) {
    public long last() {
        return first + count - 1;
    }

    /** What every log asks of the next batch, given the position of its last record. */
    public void requireFollows(long end) {
        if (first != end + 1 || count < 1 || length % 4 != 0) {
            throw new IllegalStateException("A batch must follow on " + end + ", not be " + this);
        }
    }
}
