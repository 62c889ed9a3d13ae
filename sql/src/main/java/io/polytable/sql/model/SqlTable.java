package io.polytable.sql.model;

import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.SortOrder;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.codec.KeyReader;
import io.polytable.table.codec.KeyWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One of our own tables as of one version of its schema: how its rows are found and read. */
public final class SqlTable implements Relation {
    /** A hidden column with the row's key, by which a statement finds again what a query picked. */
    public static final String KEY_COLUMN = "_key";

    private final TableDef def;
    private final Table table;
    private final RowFormat format;
    private final List<SqlIndex> indexes;
    private final List<RelationColumn> columns;
    private final List<KeyPlan.Part> keyParts;

    SqlTable(TableDef def, Table table, List<SqlIndex> indexes) {
        this.def = def;
        this.table = table;
        this.indexes = List.copyOf(indexes);
        format = new RowFormat(def, table.spec());
        columns = columnsOf(def);
        // The key of a stream begins with the time, so its primary key leads to no range; it has an index instead.
        keyParts = def.kind() == TableKind.STREAM
                ? List.of()
                : def.key().stream()
                        .map(id -> def.columns().get(def.indexOfId(id)))
                        .map(column -> new KeyPlan.Part(column.name(), column.type(), false))
                        .toList();
    }

    private static List<RelationColumn> columnsOf(TableDef def) {
        List<RelationColumn> columns = new ArrayList<>();
        def.columns().forEach(column -> columns.add(RelationColumn.shown(column.name(), column.type())));
        columns.add(new RelationColumn(KEY_COLUMN, SqlType.BYTES, true));
        if (def.hasRowId()) {
            columns.add(new RelationColumn(TableDef.ROW_ID, SqlType.BIGINT, true));
        }
        if (def.hasSystemColumns()) {
            columns.add(new RelationColumn(TableDef.UPDATED, SqlType.TIMESTAMP, true));
            columns.add(new RelationColumn(TableDef.DELETED, SqlType.BOOLEAN, true));
        }
        return columns;
    }

    public TableDef def() {
        return def;
    }

    public Table table() {
        return table;
    }

    RowFormat format() {
        return format;
    }

    List<SqlIndex> indexes() {
        return indexes;
    }

    @Override
    public TableName name() {
        return def.name();
    }

    @Override
    public List<RelationColumn> columns() {
        return columns;
    }

    @Override
    public List<String> key() {
        return keyParts.stream().map(KeyPlan.Part::column).toList();
    }

    /** The rows of one user, or all of a table that has no users. */
    private Bytes prefix(String user) {
        return def.kind() == TableKind.USER
                ? new KeyWriter().string(user, SortOrder.ASCENDING).toBytes()
                : Bytes.EMPTY;
    }

    KeyPlan plan(String user, List<Condition> conditions) {
        Bytes prefix = prefix(user);
        return KeyPlan.of(prefix, prefix.length(), keyParts, conditions);
    }

    /** Whether the conditions name at most one row. */
    public boolean isPoint(List<Condition> conditions) {
        KeyPlan plan = plan("", conditions);
        return !keyParts.isEmpty()
                && plan.equalities() == keyParts.size()
                && plan.ranges().size() == 1;
    }

    /** The key of the one row that the conditions name, if they do. */
    public Optional<RowKey> point(String user, List<Condition> conditions) {
        if (!isPoint(conditions)) {
            return Optional.empty();
        }
        KeyRange range = plan(user, conditions).ranges().get(0);
        return Optional.of(new RowKey(range.from(), range.partitionLength()));
    }

    /** Whether the conditions leave less than all rows, by key or by an index. */
    public boolean isNarrowedBy(List<Condition> conditions) {
        return !plan("", conditions).isAll() || indexFor("", conditions).isPresent();
    }

    public Optional<StoredRow> get(Reader reader, RowKey key) {
        return reader.read(table, key).map(value -> format.row(key.bytes(), value));
    }

    /** The row's key, from what {@link #KEY_COLUMN} showed. */
    public Optional<StoredRow> getByKey(Reader reader, Bytes key) {
        try (Cursor cursor = reader.scan(table, KeyRange.between(key, successor(key)), Direction.FORWARD, 1)) {
            return cursor.next() ? Optional.of(format.row(cursor.key(), cursor.value())) : Optional.empty();
        }
    }

    private static Bytes successor(Bytes key) {
        return key.concat(Bytes.of(new byte[1]));
    }

    /** Stored rows that may satisfy the conditions, deleted ones among them only where asked for. */
    public StoredRows rows(Reader reader, String user, List<Condition> conditions, Direction direction) {
        KeyPlan plan = plan(user, conditions);
        Optional<IndexPlan> index = plan.isAll() ? indexFor(user, conditions) : Optional.empty();
        if (index.isPresent()) {
            return new IndexedRows(
                    this, index.get().index(), reader, index.get().plan().ranges(), direction);
        }
        return new RangeRows(this, reader, plan.ranges(), direction);
    }

    /** Of all users, deleted ones too. */
    public StoredRows everyRow(Reader reader) {
        return new RangeRows(this, reader, List.of(KeyRange.ALL), Direction.FORWARD);
    }

    private record IndexPlan(SqlIndex index, KeyPlan plan) {}

    private Optional<IndexPlan> indexFor(String user, List<Condition> conditions) {
        return indexes.stream()
                .map(index -> new IndexPlan(
                        index, KeyPlan.of(index.prefix(user), index.prefix(user).length(), index.parts(), conditions)))
                .filter(candidate -> !candidate.plan().isAll())
                .max(Comparator.comparingInt(candidate -> candidate.plan().equalities()));
    }

    @Override
    public Rows open(Reader reader, Request request) {
        return new ShownRows(
                this, rows(reader, request.user(), request.conditions(), Direction.FORWARD), request.withDeleted());
    }

    @Override
    public String access(List<Condition> conditions) {
        KeyPlan plan = plan("", conditions);
        if (isPoint(conditions)) {
            return "one row by primary key (" + String.join(", ", key()) + ")";
        }
        if (!plan.isAll()) {
            return plan.ranges().size() + " range" + (plan.ranges().size() == 1 ? "" : "s")
                    + " of the primary key (" + String.join(", ", key()) + "), " + plan.equalities()
                    + " leading column" + (plan.equalities() == 1 ? "" : "s") + " fixed";
        }
        return indexFor("", conditions)
                .map(found -> found.plan().ranges().size() + " range"
                        + (found.plan().ranges().size() == 1 ? "" : "s") + " of index "
                        + found.index().def().name())
                .orElse("all rows");
    }

    /** The row's columns, then the hidden ones. */
    public @Nullable Object[] shown(StoredRow stored) {
        @Nullable Object[] values = Arrays.copyOf(stored.values(), columns.size());
        int at = def.columns().size();
        values[at++] = stored.key().bytes();
        if (def.hasRowId()) {
            values[at++] = rowId(stored.key().bytes());
        }
        if (def.hasSystemColumns()) {
            values[at++] = stored.updated();
            values[at] = stored.isDeleted();
        }
        return values;
    }

    long rowId(Bytes key) {
        KeyReader in = new KeyReader(key);
        switch (def.kind()) {
            case USER -> in.bytes(SortOrder.ASCENDING);
            case STREAM -> in.i64(SortOrder.ASCENDING);
            case SHARED, SYSTEM, FACE -> {}
        }
        return in.i64(SortOrder.ASCENDING);
    }

    /** {@code (a, b)=(1, 2)}, for errors. */
    static String described(TableDef def, int[] columns, @Nullable Object[] row) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int column : columns) {
            names.add(def.columns().get(column).name());
            Object value = row[column];
            values.add(value == null ? "null" : Texts.of(value));
        }
        return names.stream().collect(Collectors.joining(", ", "(", ")")) + "="
                + values.stream().collect(Collectors.joining(", ", "(", ")"));
    }

    String described(@Nullable Object[] row) {
        return described(def, format.keyColumns(), row);
    }

    /** As PostgreSQL names the constraint of a primary key. */
    String keyConstraint() {
        return def.name().name().toLowerCase(Locale.ROOT) + "_pkey";
    }
}
