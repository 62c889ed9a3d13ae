package io.polytable.store.memory;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;

/**
 * A range delete that the state does not have yet, or that older rows in memory must still be hidden by. Of two, the later
 * one is the later in each of the three numbers.
 *
 * @param address logged rows of the arena below it are older than the delete
 * @param cacheAddress cached rows of the arena below it are older than the delete
 * @param generation the number of the generation that it is of
 */
public record RangeTombstone(int table, Bytes from, Bytes to, long address, long cacheAddress, long generation) {
    /** The record, its bounds and their place in what is searched. */
    private static final int OWN_BYTES = 200;

    int bytes() {
        return OWN_BYTES + from.length() + to.length();
    }

    boolean covers(Bytes key) {
        return KeyRange.between(from, to).contains(key);
    }

    boolean isNewerThan(Chunk chunk, int offset) {
        return chunk.address + offset < (chunk.isCache() ? cacheAddress : address);
    }
}
