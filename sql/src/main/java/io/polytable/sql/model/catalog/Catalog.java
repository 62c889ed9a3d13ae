package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.DefinitionJson;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.definition.NamespaceDef;
import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.row.RowFormat;
import io.polytable.sql.model.row.StoredValues;
import io.polytable.sql.model.table.ColdTier;
import io.polytable.sql.model.table.SqlIndex;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Batch;
import io.polytable.table.Column;
import io.polytable.table.ColumnType;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All definitions, in the store and in memory. A definition is one row, written by one commit, so it is atomic across a
 * crash. The tables of the store are created before that commit and dropped after it; opening the catalog drops what a
 * crash left in between.
 *
 * <p>Statements that write hold {@link #writing()} while they commit, and a definition excludes them, so that nobody
 * commits rows in the format of an outdated schema.
 */
public final class Catalog {
    private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

    public static final String DEFAULT = "default";
    public static final String SYSTEM = "system";

    /** Namespaces that always exist and accept no user tables. */
    private static final Set<String> RESERVED = Set.of(SYSTEM, "information_schema", "pg_catalog", "redis");

    public static final int NAMESPACES_MAX = 10_000;

    private final TableStore store;
    private final InstantSource clock;
    private final SchemaFiles files;
    private final ColdTier cold;
    private final IndexTables indexTables;
    private final DefinitionRows namespaceRows;
    private final DefinitionRows tableRows;
    private final DefinitionRows viewRows;
    private final ReadWriteLock gate = new ReentrantReadWriteLock();
    private volatile CatalogState state = new CatalogState(Map.of(), Map.of(), Map.of());

    private Catalog(TableStore store, Path directory, InstantSource clock, ColdTier cold) {
        this.store = store;
        this.cold = cold;
        this.clock = clock;
        files = new SchemaFiles(directory);
        indexTables = new IndexTables(store);
        namespaceRows = new DefinitionRows(store, "namespaces");
        tableRows = new DefinitionRows(store, "tables");
        viewRows = new DefinitionRows(store, "views");
    }

    /**
     * Opens the catalog.
     *
     * @param directory of the schema files
     * @param cold the tier of flushed rows
     */
    public static Catalog open(TableStore store, Path directory, InstantSource clock, ColdTier cold) {
        Catalog catalog = new Catalog(store, directory, clock, cold);
        catalog.load();
        if (!catalog.state.hasDamagedTables()) {
            // The tables of a definition that cannot be read would look like orphans.
            catalog.dropOrphans();
        }
        if (!catalog.state.hasNamespace(DEFAULT)) {
            catalog.createNamespace(DEFAULT);
        }
        return catalog;
    }

    private void load() {
        CatalogState loaded = state;
        for (String json : namespaceRows.all()) {
            loaded = loaded.with(DefinitionJson.namespace(json));
        }
        for (Map.Entry<String, String> row : tableRows.byName().entrySet()) {
            try {
                loaded = loaded.with(bound(DefinitionJson.table(row.getValue())));
            } catch (RuntimeException unreadable) {
                // One damaged table must not keep all others from being served.
                LOG.error("The definition of table {} is damaged; its rows are kept", row.getKey(), unreadable);
                loaded = loaded.withDamaged(row.getKey());
            }
        }
        for (String json : viewRows.all()) {
            loaded = loaded.with(DefinitionJson.view(json));
        }
        state = loaded;
    }

    /** Drops tables that a crash left between their creation and their definition, or in the middle of a DROP. */
    private void dropOrphans() {
        Set<TableName> known = new HashSet<>();
        for (SqlTable table : state.tables()) {
            known.add(table.def().physical());
            table.indexes().forEach(index -> known.add(index.table().name()));
        }
        for (Table table : store.tables()) {
            TableKind kind = table.spec().kind();
            boolean ours = kind == TableKind.USER
                    || kind == TableKind.SHARED
                    || kind == TableKind.STREAM
                    || (kind == TableKind.FACE
                            && IndexTables.isName(table.name().name()));
            if (ours && !known.contains(table.name())) {
                store.drop(table.name());
            }
        }
    }

    public CatalogState state() {
        return state;
    }

    /** Held while rows are committed. */
    public Lock writing() {
        return gate.readLock();
    }

    /** Held while definitions change. Every change takes it; a caller that waits with a timeout takes it before. */
    public Lock defining() {
        return gate.writeLock();
    }

    /** Whether the table is unchanged since a statement looked it up. */
    public boolean isCurrent(SqlTable table) {
        return state.table(table.name()).filter(present -> present == table).isPresent();
    }

    public List<TableDef> history(TableDef table) {
        return files.versions(table);
    }

    /** The directory of the schema files of all tables. */
    public Path root() {
        return files.root();
    }

    public Path directory(TableDef table) {
        return files.directory(table.physical());
    }

    private SqlTable bound(TableDef def) {
        Table table = physical(def.physical());
        List<SqlIndex> indexes = def.indexes().stream()
                .map(index -> new SqlIndex(
                        def, index, physical(new TableName(def.physical().namespace(), index.physical()))))
                .toList();
        return new SqlTable(def, table, indexes, cold.of(def, table));
    }

    private Table physical(TableName name) {
        return store.find(name)
                .orElseThrow(() -> new StoreException(
                        StoreError.CORRUPT, "A defined table is not in the store", Map.of("table", name)));
    }

    public void createNamespace(String name) {
        changing(() -> {
            if (RESERVED.contains(name) || state.hasNamespace(name)) {
                throw new SqlError(SqlCode.DUPLICATE_NAMESPACE, "namespace \"" + name + "\" already exists");
            }
            if (state.namespaces().size() >= NAMESPACES_MAX) {
                throw new SqlError(SqlCode.LIMIT_EXCEEDED, "there are " + NAMESPACES_MAX + " namespaces already");
            }
            requireName("namespace", name);
            NamespaceDef def = new NamespaceDef(name, now());
            commit(batch -> namespaceRows.put(batch, name, DefinitionJson.namespace(def)));
            state = state.with(def);
        });
    }

    static void requireName(String what, String name) {
        if (!name.matches("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")) {
            throw new SqlError(
                    SqlCode.INVALID_DEFINITION,
                    what + " names have up to 128 ASCII letters, digits, '_', '.' and '-', not \"" + name + "\"");
        }
    }

    public void dropNamespace(String name, boolean cascade) {
        changing(() -> {
            requireNamespace(name);
            state.requireUndamaged(name);
            List<SqlTable> tables = state.tables().stream()
                    .filter(table -> table.name().namespace().equals(name))
                    .toList();
            List<ViewDef> views = state.views().stream()
                    .filter(view -> view.name().namespace().equals(name))
                    .toList();
            if (!cascade && tables.size() + views.size() > 0) {
                throw new SqlError(
                        SqlCode.DEPENDENT_OBJECTS,
                        "namespace \"" + name + "\" is not empty: it has " + (tables.size() + views.size())
                                + " tables and views; DROP NAMESPACE ... CASCADE drops them too");
            }
            commit(batch -> {
                tables.forEach(table -> tableRows.delete(batch, table.name().toString()));
                tables.forEach(table -> cold.dropped(batch, table));
                views.forEach(view -> viewRows.delete(batch, view.name().toString()));
                namespaceRows.delete(batch, name);
            });
            views.forEach(view -> state = state.withoutView(view.name()));
            tables.forEach(table -> state = state.withoutTable(table.name()));
            state = state.withoutNamespace(name);
            tables.forEach(this::dropPhysical);
        });
    }

    private void requireNamespace(String name) {
        if (!state.hasNamespace(name)) {
            boolean reserved = RESERVED.contains(name);
            throw new SqlError(
                    reserved ? SqlCode.NOT_ALLOWED : SqlCode.UNDEFINED_NAMESPACE,
                    "namespace \"" + name + "\" " + (reserved ? "is the system's own" : "does not exist"));
        }
    }

    public SqlTable createTable(NewTable wanted) {
        return changed(() -> {
            requireNamespace(wanted.name().namespace());
            requireName("table", wanted.name().name());
            requireFree(wanted.name());
            TableDef def = TableBuilder.build(
                    wanted,
                    freePhysical(wanted.name()),
                    now(),
                    () -> indexTables.freeTicket(wanted.name().namespace()));
            cold.check(def.options());
            try {
                store.create(RowFormat.spec(def, StorageOptions.physical(def.options())));
                def.indexes().forEach(index -> indexTables.create(SqlIndex.spec(def, index)));
            } catch (StoreException refused) {
                throw asError(refused);
            }
            publish(def);
            return state.table(def.name()).orElseThrow();
        });
    }

    /** A renamed table keeps its name in the store, so the name may be taken there. */
    private TableName freePhysical(TableName name) {
        boolean free = store.find(name).isEmpty() && !cold.isTaken(name);
        return free ? name : new TableName(name.namespace(), name.name() + "." + store.ticket());
    }

    private static RuntimeException asError(StoreException refused) {
        return refused.error() == StoreError.BAD_SPEC || refused.error() == StoreError.TOO_LARGE
                ? new SqlError(SqlCode.INVALID_DEFINITION, String.valueOf(refused.getMessage()))
                : refused;
    }

    private void requireFree(TableName name) {
        if (state.table(name).isPresent() || state.view(name).isPresent()) {
            throw new SqlError(SqlCode.DUPLICATE_TABLE, "relation \"" + name + "\" already exists");
        }
    }

    private void publish(TableDef def) {
        SqlTable after = boundAsRead(def);
        write(def);
        state = state.with(after);
    }

    /**
     * Binds the definition as the next start will read it. Called before the definition is committed: once there, one
     * that cannot be read costs the table.
     */
    private SqlTable boundAsRead(TableDef def) {
        return bound(DefinitionJson.table(DefinitionJson.table(def)));
    }

    private void write(TableDef def) {
        files.write(def);
        commit(batch -> tableRows.put(batch, def.name().toString(), DefinitionJson.table(def)));
    }

    /** Drops all of them in one commit. */
    public void drop(Collection<SqlTable> tables, Collection<TableName> views) {
        changing(() -> {
            tables.forEach(this::requireCurrent);
            commit(batch -> {
                tables.forEach(table -> tableRows.delete(batch, table.name().toString()));
                tables.forEach(table -> cold.dropped(batch, table));
                views.forEach(view -> viewRows.delete(batch, view.toString()));
            });
            views.forEach(view -> state = state.withoutView(view));
            tables.forEach(table -> state = state.withoutTable(table.name()));
            tables.forEach(this::dropPhysical);
        });
    }

    /** Deletes all rows of the tables at once; unlike DELETE it leaves no tombstones. */
    public void truncate(Set<SqlTable> tables) {
        changing(() -> {
            tables.forEach(this::requireCurrent);
            commit(batch -> tables.forEach(table -> {
                batch.deleteRange(table.table(), KeyRange.ALL);
                table.indexes().forEach(index -> batch.deleteRange(index.table(), KeyRange.ALL));
                table.cold().truncate(batch);
            }));
        });
    }

    private void dropPhysical(SqlTable table) {
        table.indexes().forEach(index -> store.drop(index.table().name()));
        store.drop(table.def().physical());
        files.drop(table.def().physical());
    }

    private void requireCurrent(SqlTable table) {
        if (!isCurrent(table)) {
            throw new SqlError(
                    SqlCode.SERIALIZATION_FAILURE, "table " + table.name() + " was changed meanwhile; retry");
        }
    }

    /**
     * Changes a table's definition; new columns are added to the store's table first.
     *
     * @param check called for every row that is read; it throws to stop the change
     */
    public void alter(SqlTable table, UnaryOperator<TableDef> change, Runnable check) {
        changing(() -> {
            requireCurrent(table);
            TableDef before = table.def();
            TableDef wanted = change.apply(before);
            if (wanted.equals(before)) {
                return;
            }
            cold.check(wanted.options());
            boolean renamed = !wanted.name().equals(before.name());
            if (renamed) {
                requireName("table", wanted.name().name());
                requireFree(wanted.name());
            }
            TableDef after = wanted.placed(before, (column, first) -> addPhysical(before, column, first));
            Optional<Duration> ttl = StorageOptions.ttl(after.options());
            if (ttl.equals(StorageOptions.ttl(before.options()))) {
                define(before, after);
            } else {
                new TtlChange(store, table, ttl).run(() -> define(before, after), check);
            }
        });
    }

    private void define(TableDef before, TableDef after) {
        if (after.name().equals(before.name())) {
            publish(after);
        } else {
            rename(before, after);
        }
    }

    /**
     * Adds a column to the store and returns its place. Stored columns are never renamed; if the name is taken, a
     * number is appended.
     */
    private int addPhysical(TableDef def, ColumnDef column, int first) {
        TableSpec spec = physical(def.physical()).spec();
        List<Column> stored = RowFormat.stored(spec);
        ColumnType type = StoredValues.physical(column.type());
        // A crash between this and the definition leaves a column. It is reused for the same type; otherwise it stays
        // unused.
        for (int place = first; place < stored.size(); place++) {
            if (stored.get(place).type() == type) {
                return place;
            }
        }
        String name = column.name();
        for (int number = column.id(); spec.indexOf(name) >= 0; number++) {
            name = column.name() + "#" + number;
        }
        try {
            store.addColumn(def.physical(), new Column(name, type));
        } catch (StoreException refused) {
            throw asError(refused);
        }
        return stored.size();
    }

    private void rename(TableDef before, TableDef after) {
        SqlTable renamed = boundAsRead(after);
        files.write(after);
        commit(batch -> {
            tableRows.delete(batch, before.name().toString());
            tableRows.put(batch, after.name().toString(), DefinitionJson.table(after));
        });
        state = state.withoutTable(before.name()).with(renamed);
    }

    /** Prepares a new index, which exists once it is built. */
    public IndexCreation newIndex(SqlTable table, String name, List<String> columns, boolean unique) {
        requireName("index", name);
        IndexDef index = TableBuilder.index(
                table.def(),
                name,
                columns,
                unique,
                indexTables.freeTicket(table.def().physical().namespace()));
        return new IndexCreation(this, store, table, index);
    }

    /** Replaces the table by one with other indexes; a changed definition is written first. */
    void replace(SqlTable before, SqlTable after) {
        requireCurrent(before);
        if (!after.def().equals(before.def())) {
            write(after.def());
        }
        state = state.with(after);
    }

    public void dropIndex(SqlTable table, IndexDef index) {
        changing(() -> {
            requireCurrent(table);
            List<IndexDef> left = new ArrayList<>(table.def().indexes());
            left.remove(index);
            publish(table.def().withIndexes(left));
            store.drop(new TableName(table.def().physical().namespace(), index.physical()));
        });
    }

    public void createView(ViewDef view, boolean orReplace) {
        changing(() -> {
            requireNamespace(view.name().namespace());
            requireName("view", view.name().name());
            if (!orReplace || state.table(view.name()).isPresent()) {
                requireFree(view.name());
            }
            commit(batch -> viewRows.put(batch, view.name().toString(), DefinitionJson.view(view)));
            state = state.with(view);
        });
    }

    public Instant now() {
        return clock.instant();
    }

    private void commit(Consumer<Batch> writing) {
        Batch batch = new Batch();
        writing.accept(batch);
        store.commit(batch).awaitDurable();
    }

    private void changing(Runnable change) {
        boolean unused = changed(() -> {
            change.run();
            return true;
        });
    }

    private <T extends @Nullable Object> T changed(Supplier<T> change) {
        gate.writeLock().lock();
        try {
            return change.get();
        } finally {
            gate.writeLock().unlock();
        }
    }
}
