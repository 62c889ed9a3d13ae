package io.polytable.store.memory;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;

/**
 * A range delete that the state does not have yet, or that older rows in memory must still be hidden by.
 *
 * @param generation the number of the generation that it is of
 * @param address logged rows of the arena below it are older than the delete
 * @param event cached rows of chunks that were closed before it are older, those of other chunks are not
 */
public record RangeTombstone(int table, Bytes from, Bytes to, long address, long event, long generation) {
    boolean covers(Bytes key) {
        return KeyRange.between(from, to).contains(key);
    }

    boolean isNewerThan(Chunk chunk, int offset) {
        return chunk.isCache() ? chunk.closedAt < event : chunk.address + offset < address;
    }

    /** Whether the chunk can hold rows that are older than this. */
    boolean isNewerThanAnyOf(Chunk chunk) {
        return isNewerThan(chunk, 0);
    }
}
