package io.polytable.table;

/** Which end of a range a cursor starts from. */
public enum Direction {
    FORWARD,
    REVERSE
}
