package io.polytable.sql.model.definition;

import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntBiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a table.
 *
 * @param physical the name of its table in the store, which a rename does not change
 * @param columns in the order of {@code SELECT *}
 * @param key ids of the columns of the primary key; empty if rows have a generated id
 * @param checks conditions that every row satisfies
 * @param version of the schema, from 1
 * @param nextId the id of the next column
 * @param nextPlace the place of the next stored value
 * @param security which rows users may see and write
 */
public record TableDef(
        TableName name,
        TableName physical,
        TableKind kind,
        List<ColumnDef> columns,
        List<Integer> key,
        List<IndexDef> indexes,
        List<String> checks,
        Map<String, String> options,
        int version,
        int nextId,
        int nextPlace,
        Instant createdAt,
        @Nullable String comment,
        RowSecurity security) {
    /** The column of the generated row id, in tables without a primary key. */
    public static final String ROW_ID = "_row_id";

    public static final String UPDATED = "_updated";
    public static final String DELETED = "_deleted";

    public TableDef {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        indexes = List.copyOf(indexes);
        checks = List.copyOf(checks);
        options = Map.copyOf(options);
    }

    /** Streams hold events, which do not change: they have no {@code _updated} and {@code _deleted}. */
    public boolean hasSystemColumns() {
        return kind != TableKind.STREAM;
    }

    public boolean hasRowId() {
        return key.isEmpty();
    }

    /** The index of the column, or -1. */
    public int indexOf(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        return -1;
    }

    public int indexOfId(int id) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).id() == id) {
                return i;
            }
        }
        return -1;
    }

    public boolean isKey(ColumnDef column) {
        return key.contains(column.id());
    }

    /** Names of the columns of the primary key. */
    public List<String> keyNames() {
        return key.stream().map(id -> columns.get(indexOfId(id)).name()).toList();
    }

    public Optional<IndexDef> index(String indexName) {
        return indexes.stream().filter(index -> index.name().equals(indexName)).findFirst();
    }

    public TableDef withColumns(List<ColumnDef> changed, int id, int place) {
        return copy(changed, indexes, options, version + 1, id, place, comment);
    }

    /**
     * The next version after the given one, with its new columns at the places that the store assigns.
     *
     * @param placing returns the place of a column, which is not before the given one
     */
    public TableDef placed(TableDef before, ToIntBiFunction<ColumnDef, Integer> placing) {
        List<ColumnDef> placed = new ArrayList<>(columns);
        int first = before.nextPlace;
        int next = first;
        for (int i = 0; i < placed.size(); i++) {
            if (placed.get(i).place() >= first) {
                int place = placing.applyAsInt(placed.get(i), next);
                placed.set(i, placed.get(i).at(place));
                next = place + 1;
            }
        }
        return copy(placed, indexes, options, before.version + 1, nextId, next, comment);
    }

    public TableDef withColumn(int index, UnaryOperator<ColumnDef> change) {
        List<ColumnDef> changed = new ArrayList<>(columns);
        changed.set(index, change.apply(changed.get(index)));
        return withColumns(changed, nextId, nextPlace);
    }

    public TableDef withIndexes(List<IndexDef> changed) {
        return copy(columns, changed, options, version + 1, nextId, nextPlace, comment);
    }

    public TableDef withOptions(Map<String, String> changed) {
        return copy(columns, indexes, changed, version + 1, nextId, nextPlace, comment);
    }

    public TableDef withComment(@Nullable String text) {
        return copy(columns, indexes, options, version + 1, nextId, nextPlace, text);
    }

    public TableDef withSecurity(RowSecurity changed) {
        return new TableDef(
                name,
                physical,
                kind,
                columns,
                key,
                indexes,
                checks,
                options,
                version + 1,
                nextId,
                nextPlace,
                createdAt,
                comment,
                changed);
    }

    /** The same under another name, with conditions that do not refer to the old one. */
    public TableDef renamed(TableName to, List<String> changed, RowSecurity changedSecurity) {
        return new TableDef(
                to,
                physical,
                kind,
                columns,
                key,
                indexes,
                changed,
                options,
                version + 1,
                nextId,
                nextPlace,
                createdAt,
                comment,
                changedSecurity);
    }

    private TableDef copy(
            List<ColumnDef> newColumns,
            List<IndexDef> newIndexes,
            Map<String, String> newOptions,
            int newVersion,
            int id,
            int place,
            @Nullable String newComment) {
        return new TableDef(
                name,
                physical,
                kind,
                newColumns,
                key,
                newIndexes,
                checks,
                newOptions,
                newVersion,
                id,
                place,
                createdAt,
                newComment,
                security);
    }
}
