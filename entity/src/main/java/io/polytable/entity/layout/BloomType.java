package io.polytable.entity.layout;

/** The granularity of a bloom filter. */
public enum BloomType {
    NONE,
    ROW,
    ROWCOL
}
