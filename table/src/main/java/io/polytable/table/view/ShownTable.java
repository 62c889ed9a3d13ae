package io.polytable.table.view;

import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import java.util.List;

/**
 * A table that shows a frontend's rows in another system.
 *
 * @param columns in the order of the rows' values
 * @param key the names of the columns that make a row unique
 * @param together the number of leading key columns by which rows are co-located (the bucket key)
 * @param incarnation for tables that can be dropped and recreated: a table of this name with another incarnation is a
 *     different table, whose rows must not appear in this one. Empty for permanent tables
 */
public record ShownTable(TableName name, List<Column> columns, List<String> key, int together, String incarnation) {
    public ShownTable(TableName name, List<Column> columns, List<String> key, int together) {
        this(name, columns, key, together, "");
    }

    public ShownTable {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        if (together < 1 || together > key.size()) {
            throw new IllegalArgumentException(together + " of " + key.size() + " key columns");
        }
    }
}
