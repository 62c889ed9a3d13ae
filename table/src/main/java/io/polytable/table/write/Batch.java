package io.polytable.table.write;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Limits;
import io.polytable.table.Origin;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.Arrays;
import java.util.Map;

/**
 * Row changes that are committed atomically, in order. They are encoded at once in the log's format ({@link
 * EncodedRow}). A range delete also deletes earlier puts of the same batch.
 */
public final class Batch {
    /**
     * What a range delete adds to the size besides its bytes: a {@link WriteSet} that is read keeps objects for it, which are
     * many times as large as its encoding.
     */
    static final int RANGE_DELETE_BYTES = 512;

    private static final int FIRST_BYTES = 512;
    private static final int KEEP_BYTES_MAX = 1 << 20;

    private final Origin origin;
    private final long bytesMax;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    /** The offset of each change. */
    private int[] offsets = new int[8];

    private int count;
    private int rangeDeletes;

    /** Changes made by a client. */
    public Batch() {
        this(Origin.CLIENT);
    }

    public Batch(Origin origin) {
        this(origin, Limits.BATCH_BYTES_MAX);
    }

    /** For tests: a limit that can be reached without a gigabyte. */
    Batch(long bytesMax) {
        this(Origin.CLIENT, bytesMax);
    }

    private Batch(Origin origin, long bytesMax) {
        this.origin = origin;
        this.bytesMax = bytesMax;
    }

    public Origin origin() {
        return origin;
    }

    public Batch put(Table table, RowKey key, Bytes value) {
        return put(table, key, value, Bytes.EMPTY);
    }

    /** Puts the concatenation of two parts; saves the caller from joining them. */
    public Batch put(Table table, RowKey key, Bytes head, Bytes tail) {
        add(EncodedRow.PUT, table, key, head, tail);
        return this;
    }

    public Batch delete(Table table, RowKey key) {
        add(EncodedRow.DELETE, table, key, Bytes.EMPTY, Bytes.EMPTY);
        return this;
    }

    /** Deletes the rows in the range at the time of the commit, and earlier puts of this batch. */
    public Batch deleteRange(Table table, KeyRange range) {
        if (!range.isEmpty()) {
            RowKey from = new RowKey(range.from(), range.partitionLength());
            add(EncodedRow.DELETE_RANGE, table, from, range.to(), Bytes.EMPTY);
            rangeDeletes++;
        }
        return this;
    }

    private void add(byte op, Table table, RowKey key, Bytes head, Bytes tail) {
        Bytes keyBytes = key.bytes();
        checkSizes(keyBytes, (long) head.length() + tail.length());
        int valueLength = head.length() + tail.length();
        reserve(EncodedRow.HEADER_BYTES_MAX + keyBytes.length() + valueLength + EncodedRow.ALIGNMENT);
        int at = length;
        bytes[at++] = op;
        at = EncodedRow.putVarint(bytes, at, table.id());
        at = EncodedRow.putVarint(bytes, at, key.partitionLength());
        at = EncodedRow.putVarint(bytes, at, keyBytes.length());
        at = EncodedRow.putVarint(bytes, at, valueLength);
        keyBytes.copyTo(bytes, at);
        at += keyBytes.length();
        head.copyTo(bytes, at);
        at += head.length();
        tail.copyTo(bytes, at);
        end(at + tail.length());
    }

    private void end(int at) {
        int next = EncodedRow.aligned(at);
        Arrays.fill(bytes, at, next, (byte) 0);
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, count * 2);
        }
        offsets[count++] = length;
        length = next;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, Math.min(bytes.length, 1 << 29) * 2));
        }
    }

    private void checkSizes(Bytes key, long valueLength) {
        if (key.length() > Limits.KEY_BYTES_MAX || valueLength > Limits.VALUE_BYTES_MAX) {
            throw new StoreException(
                    StoreError.TOO_LARGE,
                    "Key or value is larger than the limit",
                    Map.of("key", key.length(), "value", valueLength));
        }
        if (sizeBytes() + (long) rangeDeletes * RANGE_DELETE_BYTES + key.length() + valueLength > bytesMax) {
            throw new StoreException(StoreError.TOO_LARGE, "Batch is larger than the limit");
        }
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** The number of changes, range deletes included. */
    public int size() {
        return count;
    }

    /** The number of range deletes. */
    public int rangeDeletes() {
        return rangeDeletes;
    }

    /** The length of what {@link #copyTo} writes, a multiple of four. */
    public long sizeBytes() {
        return length;
    }

    /** Writes all changes in their order, each as an {@link EncodedRow}. */
    public void copyTo(byte[] target, int offset) {
        System.arraycopy(bytes, 0, target, offset, length);
    }

    /** The i-th change. */
    public EncodedRow row(EncodedRow target, int index) {
        return target.moveTo(bytes, offsets[index]);
    }

    /** Removes all changes after the first {@code size}, among which are so many range deletes. */
    void truncate(int size, int rangeDeletesLeft) {
        if (size < count) {
            length = offsets[size];
            count = size;
            shrink();
        }
        rangeDeletes = rangeDeletesLeft;
    }

    /** Shrinks the buffer after a large rollback: the batch may live on for long. */
    private void shrink() {
        if (bytes.length > KEEP_BYTES_MAX && length < bytes.length / 4) {
            bytes = Arrays.copyOf(bytes, Math.max(FIRST_BYTES, length * 2));
        }
        if (offsets.length > KEEP_BYTES_MAX / 8 && count < offsets.length / 4) {
            offsets = Arrays.copyOf(offsets, Math.max(8, count * 2));
        }
    }

    /** Clears the batch for reuse. */
    public void clear() {
        // One huge batch must not pin its memory forever.
        if (bytes.length > KEEP_BYTES_MAX) {
            bytes = new byte[FIRST_BYTES];
        }
        if (offsets.length > KEEP_BYTES_MAX / 8) {
            offsets = new int[8];
        }
        length = 0;
        count = 0;
        rangeDeletes = 0;
    }
}
