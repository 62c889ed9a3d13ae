package io.polytable.redis.model.row;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;

/**
 * The rows of a segmented string: so many bytes of it each, under their number. Zeros at the end of a segment are left
 * out, and a segment of nothing but zeros has no row: a bitmap costs what is set in it, not where that is.
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

    /** How many segments a string of the length has, those without rows included. */
    public static int count(long length) {
        return number(length + BYTES - 1);
    }

    public static Bytes sub(int number) {
        byte[] sub = new byte[Integer.BYTES];
        BigEndian.putInt(sub, 0, number);
        return Bytes.of(sub);
    }

    /** The number of the segment whose row the cursor is at. */
    public static int number(Cursor rows) {
        return BigEndian.intAt(rows.key(), Layout.ELEMENT_PREFIX);
    }

    /** What a segment's row holds: all up to the last byte that is not zero; nothing when there is none. */
    public static Bytes stored(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && bytes[end - 1] == 0) {
            end--;
        }
        return Bytes.of(bytes, from, end - from);
    }

    /** What the segment's row holds; nothing where there is none. */
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

    /** So many bytes of the string, zeros where nothing is stored. That many fit in memory: the caller has looked. */
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

    /** Copies what of the segment falls into the target, in which it begins at this place, maybe before or behind it. */
    private static void copy(byte[] segment, int offset, int length, long at, byte[] target) {
        int skipped = (int) Math.max(0, -at);
        int copied = (int) Math.min(length - skipped, target.length - Math.max(0, at));
        if (copied > 0) {
            System.arraycopy(segment, offset + skipped, target, (int) Math.max(0, at), copied);
        }
    }
}
