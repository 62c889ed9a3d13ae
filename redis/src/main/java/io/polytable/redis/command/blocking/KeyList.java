package io.polytable.redis.command.blocking;

import io.polytable.table.Bytes;
import java.util.List;

/**
 * The keys that a blocked call touches. Calls that touch the same ones share one: typically all workers wait for the same
 * keys. Equal only to itself, so that it is found by its address: comparing or hashing the keys for each of the keys would
 * be quadratic.
 */
public final class KeyList {
    private final List<Bytes> keys;

    /** How many calls share it, under the lock of {@link Waiting}. */
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

    /** Answers whether the last call left. */
    boolean leave() {
        return --calls == 0;
    }
}
