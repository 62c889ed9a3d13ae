package io.polytable.entity.store;

/** What a read returns as values. */
public enum ValueMode {
    FULL,
    /** No values: only that a cell exists, and its timestamp. */
    NONE,
    /** The stored size instead of the value, as eight big-endian bytes. */
    SIZE
}
