package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.RowSecurity;
import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The changes of a definition by ALTER TABLE and COMMENT. */
public final class Alterations {
    private Alterations() {}

    /**
     * Appends a column.
     *
     * @param initial the value, as text, of existing rows
     */
    public static TableDef addColumn(TableDef table, ColumnDef column, @Nullable String initial) {
        List<ColumnDef> columns = new ArrayList<>(table.columns());
        columns.add(new ColumnDef(
                table.nextId(),
                column.name(),
                column.type(),
                column.notNull(),
                table.nextPlace(),
                column.defaultText(),
                initial,
                column.comment()));
        TableBuilder.checkColumns(columns);
        return table.withColumns(columns, table.nextId() + 1, table.nextPlace() + 1);
    }

    public static TableDef dropColumn(TableDef table, String name) {
        int index = require(table, name);
        ColumnDef column = table.columns().get(index);
        if (table.isKey(column)) {
            throw new SqlError(
                    SqlCode.DEPENDENT_OBJECTS, "column \"" + name + "\" is part of the primary key, and stays");
        }
        if (table.columns().size() == 1) {
            throw new SqlError(SqlCode.INVALID_DEFINITION, "a table keeps at least one column");
        }
        table.indexes().stream()
                .filter(indexed -> indexed.columns().contains(column.id()))
                .findFirst()
                .ifPresent(indexed -> {
                    throw new SqlError(
                            SqlCode.DEPENDENT_OBJECTS,
                            "index \"" + indexed.name() + "\" needs column \"" + name + "\": drop the index first");
                });
        List<ColumnDef> columns = new ArrayList<>(table.columns());
        columns.remove(index);
        return table.withColumns(columns, table.nextId(), table.nextPlace());
    }

    public static TableDef renameColumn(TableDef table, String name, String to) {
        int index = require(table, name);
        TableDef renamed = table.withColumn(index, column -> column.renamed(to));
        TableBuilder.checkColumns(renamed.columns());
        return renamed;
    }

    public static TableDef setDefault(TableDef table, String name, @Nullable String expression) {
        return table.withColumn(require(table, name), column -> column.withDefault(expression));
    }

    public static TableDef setNotNull(TableDef table, String name, boolean notNull) {
        return table.withColumn(require(table, name), column -> column.withNotNull(notNull || table.isKey(column)));
    }

    public static TableDef setOptions(TableDef table, Map<String, String> options) {
        StorageOptions.checkChange(table.kind(), options);
        Map<String, String> merged = new TreeMap<>(table.options());
        merged.putAll(options);
        return table.withOptions(merged);
    }

    /** Renames the table. Its checks change with it, because they may refer to its old name. */
    public static TableDef rename(TableDef table, String to, List<String> checks, RowSecurity security) {
        return table.renamed(new TableName(table.name().namespace(), to), checks, security);
    }

    public static TableDef comment(TableDef table, @Nullable String text) {
        return table.withComment(text);
    }

    public static TableDef commentColumn(TableDef table, String name, @Nullable String text) {
        return table.withColumn(require(table, name), column -> column.withComment(text));
    }

    private static int require(TableDef table, String name) {
        int index = table.indexOf(name);
        if (index < 0) {
            throw new SqlError(
                    SqlCode.UNDEFINED_COLUMN, "column \"" + name + "\" of " + table.name() + " does not exist");
        }
        return index;
    }
}
