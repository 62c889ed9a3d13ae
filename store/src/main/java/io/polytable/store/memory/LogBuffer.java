package io.polytable.store.memory;

import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.table.Batch;
import io.polytable.table.EncodedRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lays records into chunks of the arena the way the log wants them, in batches. What was laid out and not yet handed to
 * the log waits here. Under the append mutex.
 */
final class LogBuffer {
    private final Arena arena;
    private @Nullable Chunk chunk;
    private List<RecordBatch> closed = new ArrayList<>();
    private int batchStart;
    private long batchFirst;
    private int batchCount;
    private long batchTicket;
    private long closedBytes;

    LogBuffer(Arena arena) {
        this.arena = arena;
    }

    /** The chunk that the next record of so many bytes goes to; a new one when the present one is full. */
    Chunk chunkFor(long batchBytes) {
        long needed = RecordBatchFormat.HEADER_BYTES + RecordBatchFormat.RECORD_HEADER_BYTES + batchBytes;
        Chunk present = chunk;
        if (present == null || present.left() < needed) {
            Chunk next = arena.take(Math.toIntExact(needed));
            closeBatch();
            chunk = next;
            return next;
        }
        return present;
    }

    /** The chunk that grows, if there is one. */
    @Nullable
    Chunk chunk() {
        return chunk;
    }

    /** Leaves the present chunk as it is: the next record goes to another. */
    void leaveChunk() {
        closeBatch();
        chunk = null;
    }

    /** Copies the batch there as a record and answers where its rows start. */
    int add(Chunk target, Batch batch, long position, long ticket) {
        if (batchCount == 0) {
            batchStart = target.end;
            batchFirst = position;
            target.end += RecordBatchFormat.HEADER_BYTES;
        }
        int length = (int) batch.sizeBytes();
        RecordBatchFormat.putRecordLength(target.bytes, target.end, length);
        int rows = target.end + RecordBatchFormat.RECORD_HEADER_BYTES;
        batch.copyTo(target.bytes, rows);
        target.end = rows + length;
        batchCount++;
        batchTicket = ticket;
        return rows;
    }

    /**
     * Copies rows that the log has already, during a replay, and answers where they start. Not at a chunk's first bytes: to
     * the index, the very first places of all mean something else than a row.
     */
    int addLogged(Chunk target, byte[] rows, int offset, int length) {
        int start = Math.max(RecordBatchFormat.HEADER_BYTES, EncodedRow.aligned(target.end));
        System.arraycopy(rows, offset, target.bytes, start, length);
        target.end = start + length;
        return start;
    }

    private void closeBatch() {
        Chunk present = chunk;
        if (present == null || batchCount == 0) {
            return;
        }
        int length = present.end - batchStart;
        closed.add(new RecordBatch(present.bytes, batchStart, length, batchFirst, batchCount, batchTicket));
        closedBytes += length;
        batchCount = 0;
    }

    /** Everything laid out so far, for the log. */
    List<RecordBatch> take() {
        closeBatch();
        List<RecordBatch> taken = closed;
        if (!taken.isEmpty()) {
            closed = new ArrayList<>();
            closedBytes = 0;
        }
        return taken;
    }

    /** Bytes that wait for the log. */
    long waitingBytes() {
        Chunk present = chunk;
        return closedBytes + (present == null || batchCount == 0 ? 0 : present.end - batchStart);
    }
}
