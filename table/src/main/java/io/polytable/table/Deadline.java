package io.polytable.table;

import java.util.Map;

/**
 * The first eight bytes of every value in a table whose rows carry deadlines, as a number (docs/formats/deadlines.md):
 *
 * <pre>
 * shift:1  deadline, milliseconds since 1970:7
 * </pre>
 *
 * The shift says where the store's index has the row: at the deadline, rounded up to a multiple of 2^shift. It is chosen at
 * the commit, at about a 64th of the time that the row has left. So a row that is written again and again with the same
 * time to live leaves about a hundred index entries behind, not one for each write.
 */
public final class Deadline {
    /** The bytes that it adds to a value. */
    public static final int BYTES = Long.BYTES;

    /**
     * A placeholder that the commit replaces by the table's time to live, or by {@link #NEVER}. It is never stored.
     */
    public static final long UNSET = 0;

    public static final long NEVER = -1;

    private static final int MILLIS_BITS = 56;
    private static final long MILLIS_MASK = (1L << MILLIS_BITS) - 1;

    /** The remaining time of a row has between this many and twice this many rounding steps. */
    private static final int ROUNDING_BITS = 6;

    private Deadline() {}

    /** A deadline at this time. One in the past expires at once, one beyond two million years never. */
    public static long at(long millis) {
        return millis >= MILLIS_MASK ? NEVER : Math.max(1, millis);
    }

    /** The same deadline, rounded for an index entry that is written now. */
    public static long rounded(long deadline, long nowMillis) {
        if (deadline == NEVER || deadline == UNSET) {
            return deadline;
        }
        long left = Math.max(1, millis(deadline) - Math.max(0, nowMillis));
        int shift = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(left) - ROUNDING_BITS);
        return ((long) shift << MILLIS_BITS) | millis(deadline);
    }

    /** The row's time in the index: not before the deadline. */
    public static long indexedMillis(long deadline) {
        int shift = (int) (deadline >>> MILLIS_BITS);
        return ((millis(deadline) + (1L << shift) - 1) >> shift) << shift;
    }

    public static long millis(long deadline) {
        return deadline & MILLIS_MASK;
    }

    public static boolean isOver(long deadline, long nowMillis) {
        return millis(deadline) <= nowMillis && deadline != UNSET;
    }

    /** Reads the deadline of a stored value. */
    public static long of(Bytes stored) {
        return read(stored.array(), stored.offset(), stored.length());
    }

    /** Reads the deadline of a stored value. */
    public static long of(ByteSlice stored) {
        return read(stored.array(), stored.offset(), stored.length());
    }

    private static long read(byte[] array, int offset, int length) {
        if (length < BYTES) {
            throw new StoreException(StoreError.CORRUPT, "A row lacks its deadline", Map.of("length", length));
        }
        long value = 0;
        for (int i = 0; i < BYTES; i++) {
            value = (value << 8) | (array[offset + i] & 0xff);
        }
        return value;
    }

    static void write(long deadline, byte[] array, int offset) {
        for (int i = 0; i < BYTES; i++) {
            array[offset + i] = (byte) (deadline >>> ((BYTES - 1 - i) * 8));
        }
    }

    static Bytes toBytes(long deadline) {
        byte[] bytes = new byte[BYTES];
        write(deadline, bytes, 0);
        return Bytes.of(bytes);
    }
}
