package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.RowSpan;
import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatchFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Packs batches into the owner's next rows: several into one row, or a large one into several. */
final class RowPacker {
    /** The most bytes of batches packed into one row; bounds the response to a lookup. */
    static final int ROW_BYTES_MAX = 1 << 20;
    /** A larger batch is split into rows of this size. */
    static final int PART_BYTES = 4 << 20;

    private final PositionIndex index;

    RowPacker(PositionIndex index) {
        this.index = index;
    }

    /**
     * @param offset the offset that the first row must get
     * @param synced the synced position to record in the batches
     * @param millis the time to record in the batches
     */
    List<LogRow> pack(List<RecordBatch> batches, long offset, long synced, long millis) {
        RowSpan own = index.own();
        LogKey key = own.key(own.lastSeq() + 1);
        batches.forEach(batch -> RecordBatchFormat.seal(batch, synced, millis, index.salt(key)));
        RecordBatch last = batches.get(batches.size() - 1);
        int length =
                Math.toIntExact(batches.stream().mapToLong(RecordBatch::length).sum());
        int parts = Math.max(1, (length + PART_BYTES - 1) / PART_BYTES);
        List<LogRow> rows = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            int from = part * PART_BYTES;
            byte[] piece = parts == 1 ? joined(batches, length) : part(last, from);
            rows.add(new LogRow(
                    own.key(key.seq() + part),
                    offset + part,
                    part == 0 ? batches.get(0).first() : last.last() + 1,
                    last.last(),
                    last.ticket(),
                    own.bytesBehind() + from,
                    parts - 1 - part,
                    piece));
        }
        return rows;
    }

    /** A part of a large batch, which is alone: copied directly, without joining first. */
    private static byte[] part(RecordBatch large, int from) {
        int to = Math.min(large.length(), from + PART_BYTES);
        return Arrays.copyOfRange(large.array(), large.offset() + from, large.offset() + to);
    }

    private static byte[] joined(List<RecordBatch> batches, int length) {
        byte[] body = new byte[length];
        int at = 0;
        for (RecordBatch batch : batches) {
            System.arraycopy(batch.array(), batch.offset(), body, at, batch.length());
            at += batch.length();
        }
        return body;
    }
}
