package io.polytable.cells;

/** What a family's bloom filter is asked to know. */
public enum BloomKind {
    NONE,
    ROW,
    ROW_AND_COLUMN
}
