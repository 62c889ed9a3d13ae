package io.polytable.redis.model;

/**
 * The kinds of element rows. The tags are on disk: never changed, never reused.
 *
 * <p>A scattered kind has its rows in the order of a hash of the sub-key, not of the sub-key itself. Where nobody asks
 * for an order, this one gives what Redis promises: a SCAN cursor is a place in the order of the hashes and so a plain
 * number that needs no memory in the server, and a random place is a random element.
 */
public enum ElementKind {
    HASH_FIELD(1, true),
    ZSET_MEMBER(2, true),
    ZSET_ORDER(3, false),
    ZSET_FENCE(4, false),
    SET_MEMBER(5, true),
    LIST_ELEMENT(6, false);

    private final int tag;
    private final boolean scattered;

    ElementKind(int tag, boolean scattered) {
        this.tag = tag;
        this.scattered = scattered;
    }

    int tag() {
        return tag;
    }

    boolean scattered() {
        return scattered;
    }
}
