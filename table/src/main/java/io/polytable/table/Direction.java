package io.polytable.table;

/** The direction of a cursor. */
public enum Direction {
    FORWARD,
    REVERSE
}
