package io.polytable.sql.model;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Batch;
import io.polytable.table.Column;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All definitions, in the store and in memory. A definition is one commit of one row, so a crash leaves it done or not
 * done; the tables beneath are created before that commit and dropped after it, and what a crash left over between is
 * dropped when the catalog is opened.
 *
 * <p>Statements that write hold {@link #writing()} while they commit; a definition waits for them and they for it, so
 * nobody commits rows in the format of a schema that is no more.
 */
public final class Catalog {
    public static final String DEFAULT = "default";
    public static final String SYSTEM = "system";

    /** Namespaces that are there always and take no tables of users. */
    private static final Set<String> RESERVED = Set.of(SYSTEM, "information_schema", "pg_catalog", "redis");

    private static final String INDEX_PREFIX = "sql_index.";

    public static final int NAMESPACES_MAX = 10_000;

    private final TableStore store;
    private final InstantSource clock;
    private final SchemaFiles files;
    private final ColdTier cold;
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
        namespaceRows = new DefinitionRows(store, "namespaces");
        tableRows = new DefinitionRows(store, "tables");
        viewRows = new DefinitionRows(store, "views");
    }

    /**
     * Opens the catalog.
     *
     * @param directory where the files that describe schemas are
     * @param cold where flushed rows are
     */
    public static Catalog open(TableStore store, Path directory, InstantSource clock, ColdTier cold) {
        Catalog catalog = new Catalog(store, directory, clock, cold);
        catalog.load();
        catalog.dropOrphans();
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
        for (String json : tableRows.all()) {
            loaded = loaded.with(bound(DefinitionJson.table(json)));
        }
        for (String json : viewRows.all()) {
            loaded = loaded.with(DefinitionJson.view(json));
        }
        state = loaded;
    }

    /** Tables that a crash left between their creation and their definition, or between their drop and their end. */
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
                    || (kind == TableKind.FACE && isIndexName(table.name().name()));
            if (ours && !known.contains(table.name())) {
                store.drop(table.name());
            }
        }
    }

    private static boolean isIndexName(String name) {
        return name.startsWith(INDEX_PREFIX);
    }

    public CatalogState state() {
        return state;
    }

    /** Held while rows are committed. */
    public Lock writing() {
        return gate.readLock();
    }

    /** Whether the table is still what it was when a statement looked it up. */
    public boolean isCurrent(SqlTable table) {
        return state.table(table.name()).filter(present -> present == table).isPresent();
    }

    public List<TableDef> history(TableDef table) {
        return files.versions(table);
    }

    /** Where the files of all tables are. */
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

    // --- namespaces ------------------------------------------------------------------------------------------------

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
            for (SqlTable table : tables) {
                state = state.withoutTable(table.name());
                dropPhysical(table);
            }
            for (ViewDef view : views) {
                state = state.withoutView(view.name());
            }
            state = state.withoutNamespace(name);
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

    // --- tables ----------------------------------------------------------------------------------------------------

    /** What CREATE TABLE gives, before the catalog numbers columns and places. */
    public record NewTable(
            TableName name,
            TableKind kind,
            List<ColumnDef> columns,
            List<String> primaryKey,
            List<List<String>> uniques,
            List<String> checks,
            Map<String, String> options) {}

    public SqlTable createTable(NewTable wanted) {
        return changed(() -> {
            requireNamespace(wanted.name().namespace());
            requireName("table", wanted.name().name());
            requireFree(wanted.name());
            TableDef def = TableBuilder.build(wanted, freePhysical(wanted.name()), now());
            cold.check(def.options());
            try {
                store.create(RowFormat.spec(def, StorageOptions.physical(def.options())));
                def.indexes().forEach(index -> store.create(SqlIndex.spec(def, index)));
            } catch (StoreException refused) {
                throw asError(refused);
            }
            publish(def);
            return state.table(def.name()).orElseThrow();
        });
    }

    /** A renamed table keeps its place in the store, so the name of another may be taken there. */
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
        files.write(def);
        commit(batch -> tableRows.put(batch, def.name().toString(), DefinitionJson.table(def)));
        state = state.with(bound(def));
    }

    public void dropTable(SqlTable table) {
        changing(() -> {
            requireCurrent(table);
            commit(batch -> {
                tableRows.delete(batch, table.name().toString());
                cold.dropped(batch, table);
            });
            state = state.withoutTable(table.name());
            dropPhysical(table);
        });
    }

    /** Takes all rows away at once; unlike DELETE it leaves no tombstones. */
    public void truncate(SqlTable table) {
        changing(() -> {
            requireCurrent(table);
            commit(batch -> {
                batch.deleteRange(table.table(), KeyRange.ALL);
                table.indexes().forEach(index -> batch.deleteRange(index.table(), KeyRange.ALL));
                table.cold().forget(batch);
            });
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

    /** Changes a table's definition; columns that it adds are added to the store's table first. */
    public void alter(SqlTable table, UnaryOperator<TableDef> change) {
        changing(() -> {
            requireCurrent(table);
            TableDef before = table.def();
            TableDef after = change.apply(before);
            cold.check(after.options());
            for (ColumnDef column : after.columns()) {
                if (column.place() >= before.nextPlace()) {
                    addPhysical(after, column);
                }
            }
            if (!StorageOptions.ttl(after.options()).equals(StorageOptions.ttl(before.options()))) {
                setTtl(table, StorageOptions.ttl(after.options()));
            }
            if (!after.name().equals(before.name())) {
                rename(before, after);
            } else {
                publish(after);
            }
        });
    }

    /** Entries of indexes are written anew first, so that none ends before its row, also when this is interrupted. */
    private void setTtl(SqlTable table, Optional<Duration> ttl) {
        for (SqlIndex index : table.indexes()) {
            if (index.table().spec().options().rowDeadlines()) {
                store.setTtl(index.table().name(), ttl);
                IndexBuilder.refresh(store, table, index);
            }
        }
        store.setTtl(table.table().name(), ttl);
    }

    /** Stored columns keep their names for ever; a name that is taken gets the column's number behind it. */
    private void addPhysical(TableDef def, ColumnDef column) {
        TableSpec spec = physical(def.physical()).spec();
        String name = spec.indexOf(column.name()) < 0 ? column.name() : column.name() + "#" + column.id();
        // A crash between this and the definition leaves a column that the next attempt finds in its place.
        int stored = spec.columns().size() - spec.keyColumns().size();
        if (stored <= column.place()) {
            try {
                store.addColumn(def.physical(), new Column(name, StoredValues.physical(column.type())));
            } catch (StoreException refused) {
                throw asError(refused);
            }
        }
    }

    private void rename(TableDef before, TableDef after) {
        requireName("table", after.name().name());
        requireFree(after.name());
        files.write(after);
        commit(batch -> {
            tableRows.delete(batch, before.name().toString());
            tableRows.put(batch, after.name().toString(), DefinitionJson.table(after));
        });
        state = state.withoutTable(before.name()).with(bound(after));
    }

    /** Creates the index and fills it from the rows that are there. */
    public void createIndex(SqlTable table, String name, List<String> columns, boolean unique) {
        changing(() -> {
            requireCurrent(table);
            TableDef before = table.def();
            requireName("index", name);
            IndexDef index = TableBuilder.index(before, name, columns, unique, store.ticket());
            Table physical = store.create(SqlIndex.spec(before, index));
            try {
                new IndexBuilder(store, table, new SqlIndex(before, index, physical)).run();
            } catch (RuntimeException failure) {
                store.drop(physical.name());
                throw failure;
            }
            List<IndexDef> indexes = new ArrayList<>(before.indexes());
            indexes.add(index);
            publish(before.withIndexes(indexes));
        });
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

    /** The name of an index' table: names of tables and indexes never meet, since a ticket is part of it. */
    static String indexPhysical(long ticket) {
        return INDEX_PREFIX + ticket;
    }

    // --- views -----------------------------------------------------------------------------------------------------

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

    public void dropView(TableName name) {
        changing(() -> {
            commit(batch -> viewRows.delete(batch, name.toString()));
            state = state.withoutView(name);
        });
    }

    // ---------------------------------------------------------------------------------------------------------------

    public Instant now() {
        return clock.instant();
    }

    private interface Writing {
        void to(Batch batch);
    }

    private void commit(Writing writing) {
        Batch batch = new Batch();
        writing.to(batch);
        store.commit(batch).awaitDurable();
    }

    private void changing(Runnable change) {
        gate.writeLock().lock();
        try {
            change.run();
        } finally {
            gate.writeLock().unlock();
        }
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
