package io.polytable.cells;

/** What a family's Bloom filter covers. */
public enum BloomKind {
    NONE,
    ROW,
    ROW_AND_COLUMN
}
