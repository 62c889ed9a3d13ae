package io.polytable.entity.layout;

/** What a bloom filter answers for. */
public enum BloomType {
    NONE,
    ROW,
    ROWCOL
}
