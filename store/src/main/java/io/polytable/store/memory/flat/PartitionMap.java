package io.polytable.store.memory.flat;

import java.util.Arrays;

/**
 * A hash map from a partition (by the hash of table and partition) to the number of its newest row in a generation. A
 * generation may hold millions of one-row partitions, so a partition has no object: a slot holds 32 bits of the hash
 * and the row number. Partitions with equal bits share a chain of rows, and whoever walks it compares keys. The map is
 * split into segments: copying one large array would stall writers, and a small heap may have no contiguous space for
 * it. Accessed under the append mutex.
 */
public final class PartitionMap {
    public static final int NONE = -1;

    private static final int SEGMENT_BITS = 8;
    private static final int FIRST_SLOTS = 4;
    private static final long NUMBER_MASK = 0xffffffffL;

    /** One free slot, for lookups in a segment without entries. */
    private static final long[] NO_SLOTS = new long[1];

    private final long[][] segments = new long[1 << SEGMENT_BITS][];
    private final int[] used = new int[1 << SEGMENT_BITS];
    private long bytes;

    public PartitionMap() {
        Arrays.fill(segments, NO_SLOTS);
    }

    /** The partition's newest row, or {@link #NONE}. */
    public int find(long hash) {
        long[] slots = segments[segmentOf(hash)];
        return numberIn(slots[slotOf(slots, (int) hash)]);
    }

    /** Makes the row the partition's newest and returns the previous one, or {@link #NONE}. */
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
