package io.polytable.entity.store;

import java.util.List;
import java.util.Optional;

/**
 * What is wanted of a row: the answers of all queries together. No queries want no cells.
 *
 * @param consistency how many replicas must agree, in the words of a store that has replicas; others need not look at it
 */
public record RowQuery(List<ColumnQuery> columns, Optional<String> consistency) {
    public RowQuery {
        columns = List.copyOf(columns);
    }

    public RowQuery(List<ColumnQuery> columns) {
        this(columns, Optional.empty());
    }
}
