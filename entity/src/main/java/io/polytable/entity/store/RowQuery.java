package io.polytable.entity.store;

import java.util.List;
import java.util.Optional;

/**
 * A query of a row: the union of its column queries. Without any it selects no cells.
 *
 * @param consistency the consistency level of a store with replicas; others ignore it
 */
public record RowQuery(List<ColumnQuery> columns, Optional<String> consistency) {
    public RowQuery {
        columns = List.copyOf(columns);
    }

    public RowQuery(List<ColumnQuery> columns) {
        this(columns, Optional.empty());
    }
}
