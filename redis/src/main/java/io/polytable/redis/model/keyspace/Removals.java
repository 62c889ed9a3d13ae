package io.polytable.redis.model.keyspace;

/**
 * The number of elements that collections have lost since their rows were written, which is the number of tombstones
 * that a walk passes. This is a table of fixed size in memory: collections share its slots by their ids, and the one
 * that loses more keeps the slot. A restart loses everything.
 *
 * <p>There is no lock: a count that two threads change at once is a little lower.
 */
final class Removals {
    private static final int PLACE_BITS = 12;

    private final long[] ids = new long[1 << PLACE_BITS];
    private final long[] counts = new long[1 << PLACE_BITS];

    /** Counts removals; answers the collection's total as far as it is known. */
    long add(long id, long removed) {
        int place = place(id);
        if (ids[place] == id) {
            counts[place] += removed;
            return counts[place];
        }
        if (counts[place] > removed) {
            counts[place] -= removed;
            return 0;
        }
        ids[place] = id;
        counts[place] = removed;
        return removed;
    }

    /** Sets the count to zero. */
    void forget(long id) {
        int place = place(id);
        if (ids[place] == id) {
            counts[place] = 0;
        }
    }

    private static int place(long id) {
        return (int) ((id * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - PLACE_BITS));
    }
}
