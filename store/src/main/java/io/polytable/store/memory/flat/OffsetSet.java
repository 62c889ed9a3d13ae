package io.polytable.store.memory.flat;

import java.util.Arrays;

/** A bitmap of row offsets in a chunk, one bit per multiple of four up to the largest offset in it. */
public final class OffsetSet {
    private static final int OFFSETS_A_WORD_SHIFT = 8;
    private static final int FIRST_WORDS = 64;

    private static final long[] NONE = new long[0];

    /** Volatile: a reader that runs while the set grows must not see the larger array without its bits. */
    private volatile long[] words = NONE;

    /** Returns by how many bytes the set has grown. */
    public int set(int offset) {
        long[] present = words;
        int before = present.length;
        int word = offset >>> OFFSETS_A_WORD_SHIFT;
        if (word >= before) {
            present = Arrays.copyOf(present, Math.max(word + 1, Math.max(FIRST_WORDS, before * 2)));
            words = present;
        }
        present[word] |= 1L << (offset >>> 2);
        return (present.length - before) * Long.BYTES;
    }

    /** May run concurrently with {@link #set}: it sees every bit set before the caller's last synchronisation. */
    public boolean get(int offset) {
        long[] present = words;
        int word = offset >>> OFFSETS_A_WORD_SHIFT;
        return word < present.length && (present[word] & (1L << (offset >>> 2))) != 0;
    }
}
