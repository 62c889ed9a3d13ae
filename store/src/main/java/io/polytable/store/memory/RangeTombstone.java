package io.polytable.store.memory;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;

/**
 * A range delete that is not yet applied, or that still hides older rows in memory. Of two tombstones the later one is
 * larger in each of the three numbers.
 *
 * @param address logged rows below it in the arena are older than the delete
 * @param cacheAddress cached rows below it in the arena are older than the delete
 * @param generation the generation it belongs to
 */
public record RangeTombstone(int table, Bytes from, Bytes to, long address, long cacheAddress, long generation) {
    /** Overhead of the object, its bounds and its fragment. */
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
