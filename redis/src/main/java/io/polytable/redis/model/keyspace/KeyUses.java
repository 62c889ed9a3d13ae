package io.polytable.redis.model.keyspace;

/**
 * The time of the last use of keys, for OBJECT IDLETIME. Reads must not cause writes, so this is a table of fixed size
 * in memory: keys share its slots by their hash, and each slot has one second. Of two keys in a slot, one looks more
 * recently used than it is, never less. A restart loses everything.
 *
 * <p>There is no lock: a second that another thread has written meanwhile is as good.
 */
final class KeyUses {
    /** One mebibyte of memory. */
    private static final int PLACES = 1 << 18;

    private final int[] seconds = new int[PLACES];

    void mark(int database, int hash, long nowSeconds) {
        int place = place(database, hash);
        // Most uses repeat within a second: skipping the write avoids cache-line traffic.
        if (seconds[place] != (int) nowSeconds) {
            seconds[place] = (int) nowSeconds;
        }
    }

    /** Zero when unknown. */
    long seconds(int database, int hash) {
        return Integer.toUnsignedLong(seconds[place(database, hash)]);
    }

    private static int place(int database, int hash) {
        return (hash + database * 0x9e3779b9) >>> (Integer.SIZE - 18);
    }
}
