package io.polytable.table.column;

/** A column's part in the primary key. */
public record KeyColumn(String column, SortOrder order) {
    public static KeyColumn ascending(String column) {
        return new KeyColumn(column, SortOrder.ASCENDING);
    }

    public static KeyColumn descending(String column) {
        return new KeyColumn(column, SortOrder.DESCENDING);
    }
}
