package io.polytable.table.view;

import io.polytable.table.Column;
import io.polytable.table.TableName;
import java.util.List;

/**
 * A table that shows a face's rows in another system.
 *
 * @param columns in the order in which rows have their values
 * @param key the columns that make a row unique, by name
 * @param together how many of the first key columns keep rows in one place: rows that agree in them are never apart
 * @param incarnation where tables come and go: a table of this name with another incarnation is another table, whose rows
 *     must not be found in this one. Empty where there is always the one table
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
