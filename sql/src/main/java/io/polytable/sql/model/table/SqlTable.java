package io.polytable.sql.model.table;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.FileScan;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.MergedRows;
import io.polytable.sql.model.row.RowFormat;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.model.row.StoredValues;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.codec.KeyReader;
import io.polytable.table.codec.KeyWriter;
import io.polytable.table.column.Column;
import io.polytable.table.column.SortOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An SQL table in one version of its schema: finds and reads its rows. */
public final class SqlTable implements Relation {
    /** With more keys than this, one pass over the files costs less than a look-up for each of them. */
    private static final int LOOKUPS_MAX = 32;

    /** A hidden column with the row's key, by which a statement finds the rows that a query selected. */
    public static final String KEY_COLUMN = "_key";

    private final TableDef def;
    private final Table table;
    private final RowFormat format;
    private final List<SqlIndex> indexes;

    /** Indexes that have an entry for every row. One that is being built is maintained by writers, but not read. */
    private final List<SqlIndex> complete;

    private final ColdRows cold;
    private final List<RelationColumn> columns;
    private final List<KeyPlan.Part> keyParts;

    /** The same table with all rows; this one, unless it was made by {@link #visible}. */
    private final SqlTable whole;

    private final Optional<RowFilter> filter;

    public SqlTable(TableDef def, Table table, List<SqlIndex> indexes, ColdRows cold) {
        this(def, table, indexes, cold, Optional.empty(), Optional.empty());
    }

    @SuppressWarnings("ThisEscapedInObjectConstruction") // A table without a filter is its own whole.
    private SqlTable(
            TableDef def,
            Table table,
            List<SqlIndex> indexes,
            ColdRows cold,
            Optional<RowFilter> filter,
            Optional<SqlTable> whole) {
        this.def = def;
        this.filter = filter;
        this.whole = whole.orElse(this);
        this.table = table;
        this.cold = cold;
        this.indexes = List.copyOf(indexes);
        complete = this.indexes.stream()
                .filter(index -> def.indexes().contains(index.def()))
                .toList();
        format = new RowFormat(def, table.spec());
        columns = columnsOf(def);
        // The key of a stream begins with the time, so its primary key selects no range; an index serves it instead.
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

    /** Its flushed rows. */
    public ColdRows cold() {
        return cold;
    }

    public RowFormat format() {
        return format;
    }

    public List<SqlIndex> indexes() {
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

    /** This table without its indexes, for queries that read deleted rows too: tombstones are in no index. */
    public SqlTable withoutIndexes() {
        return indexes.isEmpty() ? this : new SqlTable(def, table, List.of(), cold, filter, filter.map(some -> whole));
    }

    /** This table for a statement that may find some rows only, in the store and in files, whatever else it demands. */
    public SqlTable visible(RowFilter some) {
        return new SqlTable(def, table, indexes, cold, Optional.of(some), Optional.of(whole));
    }

    /** The table with all rows. */
    public SqlTable whole() {
        return whole;
    }

    /** Whether some rows may be hidden, so that nobody but this class may read its rows. */
    public boolean isFiltered() {
        return filter.isPresent();
    }

    private boolean shows(StoredRow row) {
        return filter.isEmpty() || filter.get().shows(row.values());
    }

    private void requireWhole() {
        if (isFiltered()) {
            throw new IllegalStateException("Hidden rows of " + name() + " would be read");
        }
    }

    /** This table with an index that is being built, which writers maintain and nobody reads until it is defined. */
    public SqlTable filling(SqlIndex index) {
        List<SqlIndex> kept = new ArrayList<>(indexes);
        kept.add(index);
        return new SqlTable(def, table, kept, cold);
    }

    /** This table without the index. */
    public SqlTable without(SqlIndex index) {
        return new SqlTable(
                def, table, indexes.stream().filter(kept -> kept != index).toList(), cold);
    }

    /** This table with another definition of the same columns. */
    public SqlTable as(TableDef other) {
        return new SqlTable(other, table, indexes, cold);
    }

    /** The key prefix of the rows of a user; empty for a table without users. */
    public Bytes prefix(String user) {
        return def.kind() == TableKind.USER
                ? new KeyWriter().string(user, SortOrder.ASCENDING).toBytes()
                : Bytes.EMPTY;
    }

    /** The primary key first, then the index that fixes most columns. */
    @Override
    public AccessPath plan(String user, List<Condition> conditions) {
        Bytes prefix = prefix(user);
        KeyPlan plan = KeyPlan.of(prefix, prefix.length(), keyParts, conditions);
        if (plan.isAll()) {
            return byIndex(user, conditions, plan.ranges()).orElseGet(() -> new AccessPath.All(plan.ranges()));
        }
        boolean isPoint = plan.equalities() == keyParts.size() && plan.ranges().size() == 1;
        return isPoint
                ? new AccessPath.Point(key(), plan.ranges().get(0))
                : new AccessPath.Ranges(key(), plan.equalities(), plan.ranges());
    }

    private Optional<AccessPath> byIndex(String user, List<Condition> conditions, List<KeyRange> all) {
        return complete.stream()
                .map(index -> new IndexPlan(
                        index, KeyPlan.of(index.prefix(user), index.prefix(user).length(), index.parts(), conditions)))
                .filter(candidate -> !candidate.plan().isAll())
                .max(Comparator.comparingInt(candidate -> candidate.plan().equalities()))
                .map(found -> new AccessPath.Index(
                        found.index().def().name(), found.plan().ranges(), all));
    }

    private record IndexPlan(SqlIndex index, KeyPlan plan) {}

    /** Whether the columns are unique, by the primary key or an index. */
    public boolean isUnique(List<String> names) {
        Set<String> wanted = Set.copyOf(names);
        boolean byKey = !def.hasRowId() && Set.copyOf(def.keyNames()).equals(wanted);
        return byKey
                || complete.stream()
                        .filter(index -> index.def().unique())
                        .anyMatch(index -> index.def().columns().stream()
                                .map(id -> def.columns().get(def.indexOfId(id)).name())
                                .collect(Collectors.toSet())
                                .equals(wanted));
    }

    public Optional<StoredRow> get(Reader reader, RowKey key) {
        // The store first: a row that is flushed in between is then found in the segments.
        Optional<StoredRow> hot = reader.read(table, key).map(value -> format.row(key.bytes(), value));
        return (hot.isPresent() || !cold.isUsed() ? hot : cold.find(reader, this, key.bytes())).filter(this::shows);
    }

    /** The row of a key that {@link #KEY_COLUMN} returned. */
    public Optional<StoredRow> getByKey(Reader reader, Bytes key) {
        requireWhole();
        try (Cursor cursor = reader.scan(table, KeyRange.between(key, successor(key)), Direction.FORWARD, 1)) {
            if (cursor.next()) {
                return Optional.of(format.row(cursor.key(), cursor.value()));
            }
        }
        return cold.isUsed() ? cold.find(reader, this, key) : Optional.empty();
    }

    /**
     * The rows of many keys that {@link #KEY_COLUMN} returned, by key; those that do not exist are absent. Files are
     * read once for all keys.
     *
     * @param user whose rows the keys are
     */
    public Map<Bytes, StoredRow> getByKeys(Reader reader, String user, Collection<Bytes> keys) {
        Map<Bytes, StoredRow> rows = everyByKeys(reader, user, keys);
        rows.values().removeIf(row -> !shows(row));
        return rows;
    }

    private Map<Bytes, StoredRow> everyByKeys(Reader reader, String user, Collection<Bytes> keys) {
        Map<Bytes, StoredRow> rows = new HashMap<>();
        List<KeyRange> elsewhere = new ArrayList<>();
        for (Bytes key : keys) {
            KeyRange one = KeyRange.between(key, successor(key));
            try (Cursor cursor = reader.scan(table, one, Direction.FORWARD, 1)) {
                if (cursor.next()) {
                    rows.put(key, format.row(cursor.key(), cursor.value()));
                } else {
                    elsewhere.add(one);
                }
            }
        }
        if (!cold.isUsed()) {
            return rows;
        }
        if (elsewhere.size() <= LOOKUPS_MAX) {
            elsewhere.forEach(one -> cold.find(reader, this, one.from()).ifPresent(row -> rows.put(one.from(), row)));
            return rows;
        }
        elsewhere.sort(Comparator.comparing(KeyRange::from));
        try (StoredRows found = cold.scan(reader, this, Optional.of(user), elsewhere, Direction.FORWARD)) {
            while (found.next()) {
                rows.put(found.row().key().bytes(), found.row());
            }
        }
        return rows;
    }

    private static Bytes successor(Bytes key) {
        return key.concat(Bytes.of(new byte[1]));
    }

    /** The stored rows on the path. Tombstones are included, except in reads by an index. */
    public StoredRows rows(Reader reader, String user, AccessPath path, Direction direction) {
        StoredRows every = everyOn(reader, user, path, direction);
        return filter.isPresent() ? new VisibleRows(every, filter.get()) : every;
    }

    private StoredRows everyOn(Reader reader, String user, AccessPath path, Direction direction) {
        if (path instanceof AccessPath.Index by) {
            SqlIndex index = complete.stream()
                    .filter(known -> known.def().name().equals(by.name()))
                    .findFirst()
                    .orElseThrow();
            return new IndexedRows(this, index, reader, by.entries(), direction);
        }
        return merged(reader, Optional.of(user), path.ranges(), direction);
    }

    private StoredRows merged(Reader reader, Optional<String> user, List<KeyRange> ranges, Direction direction) {
        StoredRows hot = new RangeRows(this, reader, ranges, direction);
        return cold.isUsed() ? new MergedRows(hot, cold.scan(reader, this, user, ranges, direction), direction) : hot;
    }

    /** The rows of all users, tombstones included. */
    public StoredRows everyRow(Reader reader) {
        return everyRow(reader, KeyRange.ALL);
    }

    StoredRows everyRow(Reader reader, KeyRange range) {
        requireWhole();
        return merged(reader, Optional.empty(), List.of(range), Direction.FORWARD);
    }

    /** The rows of all users in the store, tombstones included. */
    public StoredRows hotRows(Reader reader) {
        return hotRows(reader, List.of(KeyRange.ALL));
    }

    public StoredRows hotRows(Reader reader, List<KeyRange> ranges) {
        requireWhole();
        return new RangeRows(this, reader, ranges, Direction.FORWARD);
    }

    /** Decodes a row of the store. */
    public StoredRow decoded(Bytes key, Bytes value) {
        return format.row(key, value);
    }

    /** A row from elsewhere, with the key that its values make. */
    public StoredRow keyed(String user, long rowId, @Nullable Object[] values, Instant updated, boolean deleted) {
        return new StoredRow(format.key(new RowFormat.Scope(user, 0), values, rowId), values, updated, deleted);
    }

    /** The key of the row with these values in the key columns, in a table with a primary key that is no stream. */
    public RowKey keyOf(String user, @Nullable Object[] values) {
        return format.key(new RowFormat.Scope(user, 0), values, 0);
    }

    /** The values of the key columns; others are null. */
    public @Nullable Object[] keyValues(Bytes key) {
        @Nullable Object[] row = new Object[def.columns().size()];
        format.readKey(key, row);
        return row;
    }

    /** The user of the row; empty for a table without users. */
    public String userOf(Bytes key) {
        return def.kind() == TableKind.USER ? new KeyReader(key).string(SortOrder.ASCENDING) : "";
    }

    /** The key prefix of rows with the value in the first key column. */
    public Bytes keyStart(String user, Object first) {
        KeyWriter out = new KeyWriter();
        if (def.kind() == TableKind.USER) {
            out.string(user, SortOrder.ASCENDING);
        }
        if (def.hasRowId()) {
            out.i64((Long) first, SortOrder.ASCENDING);
        } else {
            StoredValues.writeKey(
                    out, def.columns().get(def.indexOfId(def.key().get(0))).type(), first);
        }
        return out.toBytes();
    }

    @Override
    public Rows open(Reader reader, Request request) {
        return new ShownRows(
                this, rows(reader, request.user(), request.path(), Direction.FORWARD), request.withDeleted());
    }

    /** Column batches, if the rows' bytes contain all wanted columns and no index selects fewer rows. */
    @Override
    public Optional<Batches> openBatches(Reader reader, Request request) {
        boolean plain = !isFiltered()
                && !request.withDeleted()
                && !cold().isUsed()
                && !(request.path() instanceof AccessPath.Index);
        return plain ? hotBatches(reader, request.path().ranges(), request) : Optional.empty();
    }

    /** Column batches of rows of the store, if their bytes contain all wanted columns. */
    Optional<Batches> hotBatches(Reader reader, List<KeyRange> ranges, Request request) {
        boolean plain = !format.hasInitials()
                && request.columns().stream()
                        .allMatch(index -> index < def.columns().size());
        if (!plain) {
            return Optional.empty();
        }
        List<Column> wanted = request.columns().stream()
                .map(index -> format.physical(index, table.spec()))
                .toList();
        boolean skipsDeleted = def.hasSystemColumns() && !request.withDeleted();
        return Optional.of(new TableBatches(table, reader, ranges, wanted, skipsDeleted));
    }

    @Override
    public boolean isOurs() {
        return true;
    }

    @Override
    public boolean hasFiles() {
        return cold.isUsed() && !isFiltered();
    }

    @Override
    public FileScan files(Reader reader, Request request) {
        requireWhole();
        return cold.files(reader, this, request);
    }

    /** This table without its flushed rows. */
    public Relation hot() {
        return hot(List.of(KeyRange.ALL));
    }

    /** This table without its flushed rows, within sorted and disjoint key ranges. */
    public Relation hot(List<KeyRange> within) {
        requireWhole();
        return new HotRelation(this, within);
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

    public long rowId(Bytes key) {
        KeyReader in = new KeyReader(key);
        switch (def.kind()) {
            case USER -> in.bytes(SortOrder.ASCENDING);
            case STREAM -> in.i64(SortOrder.ASCENDING);
            case SHARED, SYSTEM, FACE -> {}
        }
        return in.i64(SortOrder.ASCENDING);
    }

    /** {@code (a, b)=(1, 2)}, for errors. */
    public static String described(TableDef def, int[] columns, @Nullable Object[] row) {
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

    public String described(@Nullable Object[] row) {
        return described(def, format.keyColumns(), row);
    }

    /** PostgreSQL's name of the primary key constraint. */
    public String keyConstraint() {
        return def.name().name().toLowerCase(Locale.ROOT) + "_pkey";
    }
}
