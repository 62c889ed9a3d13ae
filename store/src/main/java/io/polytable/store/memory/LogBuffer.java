package io.polytable.store.memory;

import io.polytable.store.log.GroupFormat;
import io.polytable.store.log.LogGroup;
import io.polytable.table.Batch;
import io.polytable.table.EncodedRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lays records into chunks of the arena the way the log wants them, in groups. What was laid out and not yet handed to
 * the log waits here. Under the append mutex.
 */
final class LogBuffer {
    private final Arena arena;
    private @Nullable Chunk chunk;
    private List<LogGroup> closed = new ArrayList<>();
    private int groupStart;
    private long groupFirst;
    private int groupCount;
    private long groupTicket;
    private long closedBytes;

    LogBuffer(Arena arena) {
        this.arena = arena;
    }

    /** The chunk that the next record of so many bytes goes to; a new one when the present one is full. */
    Chunk chunkFor(long batchBytes) {
        long needed = GroupFormat.HEADER_BYTES + GroupFormat.RECORD_HEADER_BYTES + batchBytes;
        Chunk present = chunk;
        if (present == null || present.left() < needed) {
            Chunk next = arena.take(Math.toIntExact(needed));
            closeGroup();
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
        closeGroup();
        chunk = null;
    }

    /** Copies the batch there as a record and answers where its rows start. */
    int add(Chunk target, Batch batch, long position, long ticket) {
        if (groupCount == 0) {
            groupStart = target.end;
            groupFirst = position;
            target.end += GroupFormat.HEADER_BYTES;
        }
        int length = (int) batch.sizeBytes();
        GroupFormat.putRecordLength(target.bytes, target.end, length);
        int rows = target.end + GroupFormat.RECORD_HEADER_BYTES;
        batch.copyTo(target.bytes, rows);
        target.end = rows + length;
        groupCount++;
        groupTicket = ticket;
        return rows;
    }

    /** Copies rows that the log has already, during a replay, and answers where they start. */
    int addLogged(Chunk target, byte[] rows, int offset, int length) {
        int start = EncodedRow.aligned(target.end);
        System.arraycopy(rows, offset, target.bytes, start, length);
        target.end = start + length;
        return start;
    }

    private void closeGroup() {
        Chunk present = chunk;
        if (present == null || groupCount == 0) {
            return;
        }
        int length = present.end - groupStart;
        closed.add(new LogGroup(present.bytes, groupStart, length, groupFirst, groupCount, groupTicket));
        closedBytes += length;
        groupCount = 0;
    }

    /** Everything laid out so far, for the log. */
    List<LogGroup> take() {
        closeGroup();
        List<LogGroup> taken = closed;
        if (!taken.isEmpty()) {
            closed = new ArrayList<>();
            closedBytes = 0;
        }
        return taken;
    }

    /** Bytes that wait for the log. */
    long waitingBytes() {
        Chunk present = chunk;
        return closedBytes + (present == null || groupCount == 0 ? 0 : present.end - groupStart);
    }
}
