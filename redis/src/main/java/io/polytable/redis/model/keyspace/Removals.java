package io.polytable.redis.model.keyspace;

/**
 * How many elements collections have lost since their rows were written: what a walk over them passes as tombstones. This is
 * memory of a fixed size: collections meet by their ids, and who loses more keeps the place. A start forgets everything.
 *
 * <p>Nothing is locked: a count that two threads change at once is a little lower.
 */
final class Removals {
    private static final int PLACE_BITS = 12;

    private final long[] ids = new long[1 << PLACE_BITS];
    private final long[] counts = new long[1 << PLACE_BITS];

    /** Counts so many more; answers how many that makes, as far as it is known. */
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

    /** Starts anew. */
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
