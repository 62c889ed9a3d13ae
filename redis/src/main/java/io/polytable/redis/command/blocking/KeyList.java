package io.polytable.redis.command.blocking;

import io.polytable.table.Bytes;
import java.util.List;

/**
 * The keys that a blocked call touches, shared by all calls with the same keys: typically all workers wait for the same
 * keys. Compared by identity, because comparing or hashing the list once for each of its keys would be quadratic.
 */
public final class KeyList {
    private final List<Bytes> keys;

    /** How many calls share it; guarded by {@link Waiting}. */
    private int calls;

    KeyList(List<Bytes> keys) {
        this.keys = keys;
    }

    public List<Bytes> keys() {
        return keys;
    }

    void enter() {
        calls++;
    }

    /** Returns whether the last call left. */
    boolean leave() {
        return --calls == 0;
    }
}
