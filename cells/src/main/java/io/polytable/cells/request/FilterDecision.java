package io.polytable.cells.request;

/** What becomes of a cell that a {@link CellFilter} was shown, and where the read goes on. */
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
    /** Go on where {@link CellFilter#hint} says. */
    SEEK
}
