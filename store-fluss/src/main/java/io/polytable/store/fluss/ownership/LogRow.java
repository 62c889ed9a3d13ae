package io.polytable.store.fluss.ownership;

/**
 * A row of the log's table.
 *
 * @param offset where in the bucket its writer expected it to land; in the log only if that is before the next claim
 * @param first the first position that begins in this row, or behind it in a row that only goes on with a large group
 * @param last the last position that begins in this row or before
 * @param ticket every ticket used up to here is at most this
 * @param bytesBefore the length of the log up to this row
 * @param more how many rows follow that belong to the same group
 */
@SuppressWarnings("ArrayRecordComponent") // a handle on bytes that nobody changes; rows are not compared
public record LogRow(
        LogKey key, long offset, long first, long last, long ticket, long bytesBefore, int more, byte[] body) {
    /** A row that holds no records. */
    public static LogRow control(LogKey key, long offset, byte[] body) {
        return new LogRow(key, offset, 0, 0, 0, 0, 0, body);
    }

    public long bytesBehind() {
        return bytesBefore + body.length;
    }
}
