package io.polytable.redis.model.row;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;

/**
 * The rows of a segmented string: {@link #BYTES} bytes of it each, under the segment's number. Trailing zeros of a
 * segment are not stored, and a segment of nothing but zeros has no row: a bitmap costs what is set in it, not where
 * that is.
 */
public final class Segments {
    public static final int BYTES = 4096;

    private final Reader reader;
    private final Table table;
    private final long id;

    public Segments(Reader reader, Table table, long id) {
        this.reader = reader;
        this.table = table;
        this.id = id;
    }

    /** The number of the segment that a byte of the string is in. */
    public static int number(long index) {
        return (int) (index / BYTES);
    }

    /** The number of segments of a string of this length, including those without a row. */
    public static int count(long length) {
        return number(length + BYTES - 1);
    }

    public static Bytes sub(int number) {
        byte[] sub = new byte[Integer.BYTES];
        BigEndian.putInt(sub, 0, number);
        return Bytes.of(sub);
    }

    /** The number of the segment at the cursor. */
    public static int number(Cursor rows) {
        return BigEndian.intAt(rows.key(), Layout.ELEMENT_PREFIX);
    }

    /** The bytes to store for a segment: up to the last one that is not zero, empty when all are. */
    public static Bytes stored(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && bytes[end - 1] == 0) {
            end--;
        }
        return Bytes.of(bytes, from, end - from);
    }

    /** The stored bytes of the segment; empty when it has no row. */
    public Bytes get(int number) {
        return reader.read(table, row(number)).orElse(Bytes.EMPTY);
    }

    private RowKey row(int number) {
        return Layout.element(id, ElementKind.STRING_SEGMENT, sub(number));
    }

    /** The rows of the segments from one number (inclusive) to another (exclusive). */
    public Cursor scan(int from, int to) {
        return reader.scan(table, Layout.between(row(from), row(to)), Direction.FORWARD, Long.MAX_VALUE);
    }

    /** Bytes of the string, with zeros where nothing is stored. The caller has checked that so many fit in memory. */
    public byte[] read(long from, int length) {
        byte[] bytes = new byte[length];
        int first = number(from);
        int behind = count(from + length);
        if (behind - first == 1) {
            Bytes segment = get(first);
            copy(segment.array(), segment.offset(), segment.length(), (long) first * BYTES - from, bytes);
            return bytes;
        }
        try (Cursor rows = scan(first, behind)) {
            while (rows.next()) {
                ByteSlice segment = rows.valueSlice();
                long at = (long) number(rows) * BYTES - from;
                copy(segment.array(), segment.offset(), segment.length(), at, bytes);
            }
        }
        return bytes;
    }

    /** Copies the overlap of segment and target. The segment begins at {@code at} in the target, maybe outside it. */
    private static void copy(byte[] segment, int offset, int length, long at, byte[] target) {
        int skipped = (int) Math.max(0, -at);
        int copied = (int) Math.min(length - skipped, target.length - Math.max(0, at));
        if (copied > 0) {
            System.arraycopy(segment, offset + skipped, target, (int) Math.max(0, at), copied);
        }
    }
}
