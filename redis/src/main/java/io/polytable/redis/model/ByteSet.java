package io.polytable.redis.model;

/** A set of byte values, as the classes of a {@link Glob} need it: a bit each, in signed order. */
final class ByteSet {
    private static final int CASE_BIT = 'a' - 'A';

    /** The word that holds the ASCII letters, and the bits of its capital letters. */
    private static final int LETTERS = indexOf((byte) 'A') >> 6;

    private static final long CAPITALS = ((1L << 26) - 1) << (indexOf((byte) 'A') & 63);

    /** The size of a set that is written as bits. */
    static final int BYTES = 32;

    private final long[] words = new long[4];

    private static int indexOf(byte b) {
        return b + 128;
    }

    private static boolean isLetter(byte b) {
        int lower = b | CASE_BIT;
        return lower >= 'a' && lower <= 'z';
    }

    boolean contains(byte b) {
        int index = indexOf(b);
        return (words[index >> 6] & (1L << index)) != 0;
    }

    /** Whether the set that was copied to {@code at} contains the byte. */
    static boolean contains(byte[] bits, int at, byte b) {
        int index = indexOf(b);
        return (bits[at + (index >> 3)] & (1 << (index & 7))) != 0;
    }

    void copyTo(byte[] bits, int at) {
        for (int i = 0; i < BYTES; i++) {
            bits[at + i] = (byte) (words[i >> 3] >>> (8 * (i & 7)));
        }
    }

    void add(byte b) {
        int index = indexOf(b);
        words[index >> 6] |= 1L << index;
    }

    void addEitherCase(byte b) {
        add(b);
        if (isLetter(b)) {
            add((byte) (b ^ CASE_BIT));
        }
    }

    /**
     * Adds all bytes from one end to the other, both included, in signed order; the ends may come in either order.
     * Ignoring case, a byte belongs to the range when its lower-case form lies between the lower-case ends.
     */
    void addRange(byte first, byte last, boolean ignoreCase) {
        byte low = (byte) Math.min(first, last);
        byte high = (byte) Math.max(first, last);
        if (!ignoreCase) {
            addBetween(indexOf(low), indexOf(high));
            return;
        }
        ByteSet small = new ByteSet();
        small.addBetween(indexOf(lowerCase(low)), indexOf(lowerCase(high)));
        small.words[LETTERS] = (small.words[LETTERS] & ~CAPITALS) | ((small.words[LETTERS] >>> CASE_BIT) & CAPITALS);
        for (int i = 0; i < words.length; i++) {
            words[i] |= small.words[i];
        }
    }

    static byte lowerCase(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b | CASE_BIT) : b;
    }

    /** Adds nothing when lower-casing has put the ends in the wrong order. */
    private void addBetween(int from, int to) {
        for (int word = 0; word < words.length; word++) {
            int start = Math.max(from - word * 64, 0);
            int end = Math.min(to - word * 64, 63);
            if (start <= end) {
                words[word] |= (-1L << start) & (-1L >>> (63 - end));
            }
        }
    }

    void negate() {
        for (int i = 0; i < words.length; i++) {
            words[i] = ~words[i];
        }
    }
}
