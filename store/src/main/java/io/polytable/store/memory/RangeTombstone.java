package io.polytable.store.memory;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;

/**
 * A range delete that the state does not have yet, or that older rows in memory must still be hidden by.
 *
 * @param address rows of the arena below it are older than the delete
 */
public record RangeTombstone(int table, Bytes from, Bytes to, long address, Generation generation) {
    boolean covers(Bytes key) {
        return KeyRange.between(from, to).contains(key);
    }

    /** Whether the state still shows rows that this deletes. */
    boolean isPending() {
        return !generation.isApplied();
    }
}
