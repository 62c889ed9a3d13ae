package io.polytable.table;

import java.util.List;

/**
 * What a table is: its name, its typed columns and which of them, in which order, make the primary key. Rows with equal
 * partition-key columns lie together; within them the sort-key columns order the rows.
 */
public record TableSpec(
        TableName name,
        TableKind kind,
        List<Column> columns,
        List<KeyColumn> partitionKey,
        List<KeyColumn> sortKey,
        TableOptions options) {
    public TableSpec {
        columns = List.copyOf(columns);
        partitionKey = List.copyOf(partitionKey);
        sortKey = List.copyOf(sortKey);
    }
}
