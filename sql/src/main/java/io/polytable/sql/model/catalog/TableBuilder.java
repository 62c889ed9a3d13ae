package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.definition.RowSecurity;
import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.RowFormat;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Limits;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** Builds the definition of a new table: assigns ids and places, and rejects what is invalid. */
public final class TableBuilder {
    private static final Set<String> SYSTEM_NAMES =
            Set.of(TableDef.UPDATED, TableDef.DELETED, TableDef.ROW_ID, SqlTable.KEY_COLUMN, "_user_id", "_timestamp");

    private TableBuilder() {}

    /**
     * Builds the definition.
     *
     * @param tickets numbers that name no index of the namespace yet
     */
    static TableDef build(NewTable wanted, TableName physical, Instant now, LongSupplier tickets) {
        checkColumns(wanted.columns());
        Map<String, String> options = new TreeMap<>(wanted.options());
        options.remove("type");
        StorageOptions.check(wanted.kind(), options);
        int place = RowFormat.firstPlace(wanted.kind());
        List<ColumnDef> columns = new ArrayList<>();
        List<Integer> key = new ArrayList<>();
        for (String name : wanted.primaryKey()) {
            key.add(indexOf(wanted.columns(), name) + 1);
        }
        checkKey(wanted);
        for (int i = 0; i < wanted.columns().size(); i++) {
            ColumnDef column = wanted.columns().get(i);
            boolean inKey = wanted.primaryKey().contains(column.name());
            columns.add(new ColumnDef(
                    i + 1,
                    column.name(),
                    column.type(),
                    column.notNull() || inKey,
                    inKey ? ColumnDef.IN_KEY : place++,
                    column.defaultText(),
                    null,
                    column.comment()));
        }
        TableDef bare = new TableDef(
                wanted.name(),
                physical,
                wanted.kind(),
                columns,
                key,
                List.of(),
                wanted.checks(),
                options,
                1,
                columns.size() + 1,
                place,
                now,
                null,
                RowSecurity.NONE);
        return withUniques(bare, wanted, tickets);
    }

    /** Adds an index for each unique constraint, and for the primary key of a stream, whose rows are sorted by time. */
    private static TableDef withUniques(TableDef bare, NewTable wanted, LongSupplier tickets) {
        List<IndexDef> indexes = new ArrayList<>();
        String table = wanted.name().name();
        if (wanted.kind() == TableKind.STREAM && !wanted.primaryKey().isEmpty()) {
            indexes.add(index(bare, table + "_pkey", wanted.primaryKey(), true, tickets.getAsLong()));
        }
        for (List<String> columns : wanted.uniques()) {
            String name = table + "_" + String.join("_", columns) + "_key";
            indexes.add(index(bare, name, columns, true, tickets.getAsLong()));
        }
        return new TableDef(
                bare.name(),
                bare.physical(),
                bare.kind(),
                bare.columns(),
                bare.key(),
                indexes,
                bare.checks(),
                bare.options(),
                1,
                bare.nextId(),
                bare.nextPlace(),
                bare.createdAt(),
                null,
                RowSecurity.NONE);
    }

    static IndexDef index(TableDef table, String name, List<String> columns, boolean unique, long ticket) {
        if (table.index(name).isPresent()) {
            throw new SqlError(SqlCode.DUPLICATE_TABLE, "index \"" + name + "\" already exists");
        }
        List<Integer> ids = new ArrayList<>();
        for (String column : columns) {
            int index = table.indexOf(column);
            if (index < 0) {
                throw new SqlError(SqlCode.UNDEFINED_COLUMN, "column \"" + column + "\" does not exist");
            }
            requireOrdered(table.columns().get(index));
            if (ids.contains(table.columns().get(index).id())) {
                throw new SqlError(SqlCode.DUPLICATE_COLUMN, "column \"" + column + "\" is twice in the index");
            }
            ids.add(table.columns().get(index).id());
        }
        return new IndexDef(name, ids, unique, IndexTables.name(ticket));
    }

    private static void requireOrdered(ColumnDef column) {
        if (column.type().is(SqlType.Kind.JSON)) {
            throw new SqlError(
                    SqlCode.INVALID_DEFINITION,
                    "column \"" + column.name() + "\" is JSON, which has no order for a key");
        }
    }

    private static int indexOf(List<ColumnDef> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new SqlError(SqlCode.UNDEFINED_COLUMN, "column \"" + name + "\" named in the key does not exist");
    }

    private static void checkKey(NewTable wanted) {
        Set<String> used = new HashSet<>();
        for (String name : wanted.primaryKey()) {
            if (!used.add(name)) {
                throw new SqlError(SqlCode.DUPLICATE_COLUMN, "column \"" + name + "\" is twice in the primary key");
            }
            requireOrdered(wanted.columns().get(indexOf(wanted.columns(), name)));
        }
    }

    /** DuckDB ignores case, so names must differ by more than case. */
    static void checkColumns(List<ColumnDef> columns) {
        // Leaves space for key columns, system columns and columns that are added later.
        if (columns.size() > Limits.COLUMNS_MAX - 10) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "a table has at most " + (Limits.COLUMNS_MAX - 10) + " columns");
        }
        Set<String> names = new HashSet<>();
        for (ColumnDef column : columns) {
            if (SYSTEM_NAMES.contains(column.name().toLowerCase(Locale.ROOT))) {
                throw new SqlError(SqlCode.INVALID_DEFINITION, "column name \"" + column.name() + "\" is reserved");
            }
            if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
                throw new SqlError(
                        SqlCode.DUPLICATE_COLUMN, "column \"" + column.name() + "\" specified more than once");
            }
        }
    }
}
