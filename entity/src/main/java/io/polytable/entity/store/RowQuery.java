package io.polytable.entity.store;

import java.util.List;

/** What is wanted of a row: the answers of all queries together. No queries want no cells. */
public record RowQuery(List<ColumnQuery> columns) {
    public RowQuery {
        columns = List.copyOf(columns);
    }
}
