package io.polytable.table;

import java.util.Arrays;
import java.util.Map;

/**
 * Row changes that are committed together, as if applied one after the other. They are written at once in the form that
 * the log keeps ({@link EncodedRow}); range deletes stand first, since whatever they covered of this batch is taken out
 * when they are added.
 */
public final class Batch {
    private static final int FIRST_BYTES = 512;
    private static final int KEEP_BYTES_MAX = 1 << 20;

    private final RowBuffer ranges = new RowBuffer(0);
    private RowBuffer rows = new RowBuffer(FIRST_BYTES);
    private final EncodedRow view = new EncodedRow();
    private final long bytesMax;

    public Batch() {
        this(Limits.BATCH_BYTES_MAX);
    }

    /** For tests: a bound that can be reached without a gigabyte. */
    Batch(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public Batch put(Table table, RowKey key, Bytes value) {
        return put(table, key, value, Bytes.EMPTY);
    }

    /** The value is the two parts joined; this saves joining them first. */
    public Batch put(Table table, RowKey key, Bytes head, Bytes tail) {
        checkSizes(key.bytes(), (long) head.length() + tail.length());
        rows.add(EncodedRow.PUT, table.id(), key, head, tail);
        return this;
    }

    public Batch delete(Table table, RowKey key) {
        checkSizes(key.bytes(), 0);
        rows.add(EncodedRow.DELETE, table.id(), key, Bytes.EMPTY, Bytes.EMPTY);
        return this;
    }

    /** Deletes what the range holds when the commit happens, and what this batch has put there so far. */
    public Batch deleteRange(Table table, KeyRange range) {
        if (range.isEmpty()) {
            return this;
        }
        checkSizes(range.from(), range.to().length());
        takeOut(table.id(), range);
        RowKey from = new RowKey(range.from(), range.partitionLength());
        ranges.add(EncodedRow.DELETE_RANGE, table.id(), from, range.to(), Bytes.EMPTY);
        return this;
    }

    private void takeOut(int table, KeyRange range) {
        RowBuffer kept = new RowBuffer(rows.length);
        for (int i = 0; i < rows.count; i++) {
            view.moveTo(rows.bytes, rows.offsets[i]);
            if (view.table() != table || !range.contains(view.key())) {
                kept.copy(rows, i);
            }
        }
        rows = kept;
    }

    private void checkSizes(Bytes key, long valueLength) {
        if (key.length() > Limits.KEY_BYTES_MAX || valueLength > Limits.VALUE_BYTES_MAX) {
            throw new StoreException(
                    StoreError.TOO_LARGE,
                    "Key or value is larger than the limit",
                    Map.of("key", key.length(), "value", valueLength));
        }
        if (sizeBytes() + key.length() + valueLength > bytesMax) {
            throw new StoreException(StoreError.TOO_LARGE, "Batch is larger than the limit");
        }
    }

    public boolean isEmpty() {
        return rows.count == 0 && ranges.count == 0;
    }

    /** How many changes it holds, range deletes among them. */
    public int size() {
        return ranges.count + rows.count;
    }

    /** The length of what {@link #copyTo} writes, a multiple of four. */
    public long sizeBytes() {
        return (long) ranges.length + rows.length;
    }

    /** Writes all changes, each as an {@link EncodedRow}, range deletes first. */
    public void copyTo(byte[] target, int offset) {
        System.arraycopy(ranges.bytes, 0, target, offset, ranges.length);
        System.arraycopy(rows.bytes, 0, target, offset + ranges.length, rows.length);
    }

    /** The i-th change, range deletes first. */
    public EncodedRow row(EncodedRow target, int index) {
        return index < ranges.count
                ? target.moveTo(ranges.bytes, ranges.offsets[index])
                : target.moveTo(rows.bytes, rows.offsets[index - ranges.count]);
    }

    int ranges() {
        return ranges.count;
    }

    /** Empties it for the next use. */
    public void clear() {
        ranges.clear();
        rows.clear();
    }

    /** Encoded rows one behind the other, and where each starts. */
    private static final class RowBuffer {
        private byte[] bytes;
        private int length;
        private int[] offsets = new int[8];
        private int count;

        RowBuffer(int capacity) {
            bytes = new byte[capacity];
        }

        void add(byte op, int table, RowKey key, Bytes head, Bytes tail) {
            Bytes keyBytes = key.bytes();
            int valueLength = head.length() + tail.length();
            reserve(EncodedRow.HEADER_BYTES_MAX + keyBytes.length() + valueLength + EncodedRow.ALIGNMENT);
            int at = length;
            bytes[at++] = op;
            at = EncodedRow.putVarint(bytes, at, table);
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

        void copy(RowBuffer source, int index) {
            int from = source.offsets[index];
            int to = index + 1 < source.count ? source.offsets[index + 1] : source.length;
            reserve(to - from);
            System.arraycopy(source.bytes, from, bytes, length, to - from);
            end(length + to - from);
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

        void clear() {
            // One huge batch must not keep its memory for ever.
            if (bytes.length > KEEP_BYTES_MAX) {
                bytes = new byte[FIRST_BYTES];
            }
            if (offsets.length > KEEP_BYTES_MAX / 8) {
                offsets = new int[8];
            }
            length = 0;
            count = 0;
        }
    }
}
