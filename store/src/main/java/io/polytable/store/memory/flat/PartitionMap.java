package io.polytable.store.memory.flat;

import java.util.Arrays;

/**
 * The number of the newest row of each partition in a generation, by the hash of table and partition. There may be
 * millions of partitions of one row each, so a partition has no object: a slot holds 32 bits of the hash and the row's
 * number. Partitions that share those bits share a chain of rows: who walks it looks at the keys. In segments, since a
 * large array that grows would hold up writers, and the collector finds no place for it in a small heap. Under the append
 * mutex.
 */
public final class PartitionMap {
    public static final int NONE = -1;

    private static final int SEGMENT_BITS = 8;
    private static final int FIRST_SLOTS = 4;
    private static final long NUMBER_MASK = 0xffffffffL;

    /** A free slot, for look-ups in a segment that nothing was put into. */
    private static final long[] NO_SLOTS = new long[1];

    private final long[][] segments = new long[1 << SEGMENT_BITS][];
    private final int[] used = new int[1 << SEGMENT_BITS];
    private long bytes;

    public PartitionMap() {
        Arrays.fill(segments, NO_SLOTS);
    }

    /** The newest row, or {@link #NONE}. */
    public int find(long hash) {
        long[] slots = segments[segmentOf(hash)];
        return numberIn(slots[slotOf(slots, (int) hash)]);
    }

    /** Makes the row the partition's newest and answers the one that was, or {@link #NONE}. */
    public int put(long hash, int number) {
        int segment = segmentOf(hash);
        long[] slots = roomIn(segment);
        int at = slotOf(slots, (int) hash);
        int before = numberIn(slots[at]);
        if (before == NONE) {
            used[segment]++;
        }
        slots[at] = (hash << Integer.SIZE) | (number + 1);
        return before;
    }

    private static int segmentOf(long hash) {
        return (int) (hash >>> (Long.SIZE - SEGMENT_BITS));
    }

    /** A slot of zero is free. */
    private static int numberIn(long slot) {
        return (int) (slot & NUMBER_MASK) - 1;
    }

    private static int slotOf(long[] slots, int tag) {
        int mask = slots.length - 1;
        int at = tag & mask;
        while (slots[at] != 0 && (int) (slots[at] >>> Integer.SIZE) != tag) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private long[] roomIn(int segment) {
        long[] slots = segments[segment];
        if (slots == NO_SLOTS) {
            slots = new long[FIRST_SLOTS];
            bytes += (long) FIRST_SLOTS * Long.BYTES;
            segments[segment] = slots;
        } else if (used[segment] * 4 >= slots.length * 3) {
            slots = grown(slots);
            bytes += (long) slots.length / 2 * Long.BYTES;
            segments[segment] = slots;
        }
        return slots;
    }

    private static long[] grown(long[] old) {
        long[] next = new long[old.length * 2];
        for (long slot : old) {
            if (slot != 0) {
                next[slotOf(next, (int) (slot >>> Integer.SIZE))] = slot;
            }
        }
        return next;
    }

    public long bytes() {
        return bytes;
    }
}
