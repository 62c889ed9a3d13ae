package io.polytable.table.spec;

/** How a key column is ordered. */
public enum SortOrder {
    ASCENDING,
    DESCENDING
}
