package io.polytable.redis.model.keyspace;

/**
 * When keys were last used, for OBJECT IDLETIME. Reads must not be written down, so this is memory of a fixed size: a second
 * for each of so many places, where keys meet by their scatter. Two keys that meet make one of them look more recently used,
 * never less. A start forgets everything.
 *
 * <p>Nothing is locked: a second that another thread has written meanwhile is as good.
 */
final class KeyUses {
    /** A mebibyte of memory. */
    private static final int PLACES = 1 << 18;

    private final int[] seconds = new int[PLACES];

    void mark(int database, int scatter, long nowSeconds) {
        int place = place(database, scatter);
        // Most uses are repeated within a second: they leave the processors' caches alone.
        if (seconds[place] != (int) nowSeconds) {
            seconds[place] = (int) nowSeconds;
        }
    }

    /** Zero when nothing is known. */
    long seconds(int database, int scatter) {
        return Integer.toUnsignedLong(seconds[place(database, scatter)]);
    }

    private static int place(int database, int scatter) {
        return (scatter + database * 0x9e3779b9) >>> (Integer.SIZE - 18);
    }
}
