package io.polytable.redis.model.list;

import io.polytable.table.Direction;

/** The two ends of a list. */
public enum ListEnd {
    /** The head, with the element of index 0. */
    LEFT,
    /** The tail. */
    RIGHT;

    /** The direction from this end into the list. */
    Direction inward() {
        return this == LEFT ? Direction.FORWARD : Direction.REVERSE;
    }
}
