package io.polytable.table;

/** How a key column is ordered. */
public enum SortOrder {
    ASCENDING,
    DESCENDING
}
