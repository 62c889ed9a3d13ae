package io.polytable.redis.model.list;

import io.polytable.table.Direction;

/** The two ends of a list. */
public enum ListEnd {
    /** The head, where the element of index 0 stands. */
    LEFT,
    /** The tail. */
    RIGHT;

    /** The way into the list from this end. */
    Direction inward() {
        return this == LEFT ? Direction.FORWARD : Direction.REVERSE;
    }
}
