package io.polytable.entity.store;

/** What of the values a read wants. */
public enum ValueMode {
    FULL,
    /** Only that there is a cell, and when. */
    NONE,
    /** How many bytes are stored, instead of them, as eight big-endian bytes. */
    SIZE
}
