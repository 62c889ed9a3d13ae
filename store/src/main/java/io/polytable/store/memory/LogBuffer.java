package io.polytable.store.memory;

import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The write buffer of the log: formats records inside arena chunks as the log writes them, in batches, and holds what
 * was not yet handed to the log. Under the append mutex.
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

    /** The chunk for the next record; a new one if the present one has too little space. */
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

    /** The chunk being filled, if any. */
    @Nullable
    Chunk chunk() {
        return chunk;
    }

    /** Closes the present chunk: the next record starts another. */
    void leaveChunk() {
        closeBatch();
        chunk = null;
    }

    /** Copies the batch into the chunk as a record; returns the offset of its rows. */
    int add(Chunk target, Batch batch, long position, long ticket) {
        if (batchCount == 0) {
            batchStart = target.end;
            batchFirst = position;
            target.end += RecordBatchFormat.HEADER_BYTES;
        }
        int length = (int) batch.sizeBytes();
        RecordBatchFormat.putRecordHeader(target.bytes, target.end, length, batch.origin());
        int rows = target.end + RecordBatchFormat.RECORD_HEADER_BYTES;
        batch.copyTo(target.bytes, rows);
        target.end = rows + length;
        batchCount++;
        batchTicket = ticket;
        return rows;
    }

    /**
     * Copies rows that the log already has, during replay; returns their offset. Never at a chunk's first bytes: the
     * index reserves the lowest places as markers.
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

    /** Takes all batches that were not yet handed to the log. */
    List<RecordBatch> take() {
        closeBatch();
        List<RecordBatch> taken = closed;
        if (!taken.isEmpty()) {
            closed = new ArrayList<>();
            closedBytes = 0;
        }
        return taken;
    }

    /** Bytes not yet handed to the log. */
    long waitingBytes() {
        Chunk present = chunk;
        return closedBytes + (present == null || batchCount == 0 ? 0 : present.end - batchStart);
    }
}
