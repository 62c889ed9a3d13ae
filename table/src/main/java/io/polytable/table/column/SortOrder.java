package io.polytable.table.column;

/** How a key column is ordered. */
public enum SortOrder {
    ASCENDING,
    DESCENDING
}
