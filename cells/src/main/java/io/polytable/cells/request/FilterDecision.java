package io.polytable.cells.request;

/** A {@link CellFilter}'s decision on a cell, and where the read continues. */
public enum FilterDecision {
    INCLUDE,
    /** Include it; no further version of this column. */
    INCLUDE_AND_NEXT_COLUMN,
    /** Include it; nothing more of this row's family. */
    INCLUDE_AND_NEXT_ROW,
    SKIP,
    /** No further version of this column. */
    NEXT_COLUMN,
    /** Nothing more of this row's family. */
    NEXT_ROW,
    /** Continue at {@link CellFilter#hint}. */
    SEEK
}
