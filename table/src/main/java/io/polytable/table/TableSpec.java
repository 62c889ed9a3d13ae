package io.polytable.table;

import io.polytable.table.column.Column;
import io.polytable.table.column.KeyColumn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The definition of a table: its name, its typed columns, and which of them form the primary key, in order. Rows with
 * equal partition-key columns are stored together; the sort-key columns order the rows within them.
 *
 * <p>The constructor throws {@link StoreError#BAD_SPEC} unless
 *
 * <ul>
 *   <li>namespace and table name are 1 to {@link Limits#NAME_CHARS_MAX} ASCII letters, digits, {@code _ . -}, and do
 *       not start with a dot or a dash;
 *   <li>there are at most {@link Limits#COLUMNS_MAX} columns with different names, each of 1 to {@link
 *       Limits#NAME_CHARS_MAX} characters other than control characters;
 *   <li>there is a partition key, every key column is a column, and none is in the key twice;
 *   <li>a time to live is positive.
 * </ul>
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
        SpecRules.check(name, columns, partitionKey, sortKey, options);
    }

    /**
     * Refuses specs that a store must not create, although an older one may contain them: a system table outside the
     * namespace {@link TableName#SYSTEM_NAMESPACE}, the tables of the store's catalog and its index of deadlines, and a
     * time to live in a table that has neither a time at the front of its key nor row deadlines.
     *
     * @throws StoreException {@link StoreError#BAD_SPEC}
     */
    public void requireCreatable() {
        SpecRules.checkCreatable(this);
    }

    /** How the rows expire. */
    public Expiry expiry() {
        return Expiry.of(this);
    }

    /** The whole primary key: partition key, then sort key. */
    public List<KeyColumn> keyColumns() {
        return Stream.concat(partitionKey.stream(), sortKey.stream()).toList();
    }

    /** The column's index, or -1. */
    public int indexOf(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The spec of the table with another time to live, or none.
     *
     * @throws StoreException {@link StoreError#BAD_SPEC} when its rows have no way to expire
     */
    public TableSpec withTtl(Optional<Duration> ttl) {
        TableSpec spec = new TableSpec(name, kind, columns, partitionKey, sortKey, options.withTtl(ttl));
        SpecRules.checkTtl(spec);
        return spec;
    }

    /** The spec with the column added at the end. */
    public TableSpec withColumn(Column column) {
        List<Column> more = new ArrayList<>(columns);
        more.add(column);
        return new TableSpec(name, kind, more, partitionKey, sortKey, options);
    }
}
