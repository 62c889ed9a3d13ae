package io.polytable.redis.model.list;

/** The two ends of a list. */
public enum ListEnd {
    /** The head, with the element of index 0. */
    LEFT,
    /** The tail. */
    RIGHT
}
