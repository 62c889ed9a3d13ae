package io.polytable.sql.model.catalog;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.sql.model.definition.DefinitionJson;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.definition.NamespaceDef;
import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.row.RowFormat;
import io.polytable.sql.model.table.ColdTier;
import io.polytable.sql.model.table.SqlIndex;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Commit;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
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
    private final PhysicalTables physical;
    private final IndexTables indexTables;
    private final DefinitionRows namespaceRows;
    private final DefinitionRows tableRows;
    private final DefinitionRows viewRows;
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
    private final DefinitionTurn turn;
    private volatile CatalogState state = new CatalogState(Map.of(), Map.of(), Map.of());

    private Catalog(TableStore store, Path directory, InstantSource clock, ColdTier cold) {
        this.store = store;
        this.cold = cold;
        this.clock = clock;
        files = new SchemaFiles(directory);
        turn = new DefinitionTurn(store, gate.writeLock().newCondition());
        physical = new PhysicalTables(store, cold);
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
            Orphans.drop(store, catalog.state);
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
                loaded = loaded.with(physical.bound(DefinitionJson.table(row.getValue())));
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

    /** Whether the calling thread holds one of the two. */
    public boolean isHeldByCaller() {
        return gate.isWriteLockedByCurrentThread() || gate.getReadHoldCount() > 0;
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
            turn.commit(batch -> namespaceRows.put(batch, name, DefinitionJson.namespace(def)));
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
            turn.commit(batch -> {
                tables.forEach(table -> tableRows.delete(batch, table.name().toString()));
                tables.forEach(table -> cold.dropped(batch, table));
                views.forEach(view -> viewRows.delete(batch, view.name().toString()));
                namespaceRows.delete(batch, name);
            });
            views.forEach(view -> state = state.withoutView(view.name()));
            tables.forEach(table -> state = state.withoutTable(table.name()));
            state = state.withoutNamespace(name);
            turn.afterCommit(() -> tables.forEach(this::dropPhysical));
        });
    }

    private void requireNamespace(String name) {
        if (!state.hasNamespace(name)) {
            boolean reserved = RESERVED.contains(name);
            throw new SqlError(
                    reserved ? SqlCode.NOT_ALLOWED : SqlCode.UNDEFINED_NAMESPACE,
                    "namespace \"" + name + "\" " + (reserved ? "is reserved" : "does not exist"));
        }
    }

    public SqlTable createTable(NewTable wanted) {
        return changed(() -> {
            requireNamespace(wanted.name().namespace());
            requireName("table", wanted.name().name());
            requireFree(wanted.name());
            TableDef def = TableBuilder.build(
                    wanted,
                    physical.freeName(wanted.name()),
                    now(),
                    () -> indexTables.freeTicket(wanted.name().namespace()));
            cold.check(def.options());
            try {
                turn.created(store.create(RowFormat.spec(def, StorageOptions.physical(def.kind(), def.options()))));
                def.indexes().forEach(index -> turn.created(indexTables.create(SqlIndex.spec(def, index))));
                turn.running().ifPresent(pending -> pending.undo(() -> files.drop(def.physical())));
            } catch (StoreException refused) {
                throw PhysicalTables.asError(refused);
            }
            publish(def);
            return state.table(def.name()).orElseThrow();
        });
    }

    private void requireFree(TableName name) {
        if (state.table(name).isPresent() || state.view(name).isPresent()) {
            throw new SqlError(SqlCode.DUPLICATE_TABLE, "relation \"" + name + "\" already exists");
        }
    }

    private void publish(TableDef def) {
        SqlTable after = physical.boundAsRead(def);
        write(def);
        state = state.with(after);
    }

    private void write(TableDef def) {
        files.write(def);
        turn.commit(batch -> tableRows.put(batch, def.name().toString(), DefinitionJson.table(def)));
    }

    /** Drops all of them in one commit. */
    public void drop(Collection<SqlTable> tables, Collection<TableName> views) {
        changing(() -> {
            tables.forEach(this::requireCurrent);
            turn.commit(batch -> {
                tables.forEach(table -> tableRows.delete(batch, table.name().toString()));
                tables.forEach(table -> cold.dropped(batch, table));
                views.forEach(view -> viewRows.delete(batch, view.toString()));
            });
            views.forEach(view -> state = state.withoutView(view));
            tables.forEach(table -> state = state.withoutTable(table.name()));
            turn.afterCommit(() -> tables.forEach(this::dropPhysical));
        });
    }

    /** Deletes all rows of the tables at once; unlike DELETE it leaves no tombstones. */
    public void truncate(Set<SqlTable> tables) {
        changing(() -> {
            tables.forEach(this::requireCurrent);
            turn.commit(batch -> tables.forEach(table -> {
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
     */
    public void alter(SqlTable table, UnaryOperator<TableDef> change) {
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
            TableDef after = wanted.placed(before, (column, first) -> physical.addColumn(before, column, first));
            Optional<Duration> ttl = StorageOptions.ttl(after.options());
            if (ttl.equals(StorageOptions.ttl(before.options()))) {
                define(before, after);
            } else if (turn.running().isPresent()) {
                throw new SqlError(
                        SqlCode.ACTIVE_TRANSACTION, "a change of ttl_seconds cannot run inside a transaction block");
            } else {
                store.setTtl(table.table().name(), ttl);
                define(before, after);
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

    private void rename(TableDef before, TableDef after) {
        SqlTable renamed = physical.boundAsRead(after);
        files.write(after);
        turn.commit(batch -> {
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
            TableName physical = new TableName(table.def().physical().namespace(), index.physical());
            turn.afterCommit(() -> store.drop(physical));
        });
    }

    public void createView(ViewDef view, boolean orReplace) {
        changing(() -> {
            requireNamespace(view.name().namespace());
            requireName("view", view.name().name());
            if (!orReplace || state.table(view.name()).isPresent()) {
                requireFree(view.name());
            }
            turn.commit(batch -> viewRows.put(batch, view.name().toString(), DefinitionJson.view(view)));
            state = state.with(view);
        });
    }

    public Instant now() {
        return clock.instant();
    }

    /** Registers a table of the store that a rollback of the running definition's transaction drops. */
    void created(Table table) {
        turn.created(table);
    }

    /**
     * Waits while the definitions of another transaction are not committed, at most for the time. The caller holds
     * {@link #defining()}, which the wait releases.
     *
     * @param own the definitions of the caller's transaction, if it has any
     * @return whether the caller may define
     */
    public boolean awaitTurn(@Nullable PendingDefinitions own, long nanos) {
        return turn.await(own, nanos);
    }

    /** Begins the definitions of a transaction. From now on no other session defines anything until it ends. */
    public PendingDefinitions begin() {
        return turn.take(state);
    }

    /** Runs a definition as part of a transaction. */
    public <T extends @Nullable Object> T within(PendingDefinitions pending, Supplier<T> change) {
        return turn.run(pending, change);
    }

    /**
     * Commits the definitions of a transaction in one commit with its rows.
     *
     * @param rows commits the transaction's rows together with the changes that it is given, or returns nothing
     * @return whether they are committed
     */
    public boolean commit(PendingDefinitions pending, Function<Consumer<Batch>, Optional<Commit>> rows) {
        Optional<Commit> done = rows.apply(pending::write);
        if (done.isEmpty()) {
            return false;
        }
        AnswerGate.settle(done.get());
        turn.end();
        try {
            pending.committed();
        } catch (RuntimeException failure) {
            // It is committed all the same, and the next start drops what is left.
            LOG.warn("Dropped tables could not be removed from the store", failure);
        }
        return true;
    }

    /** Ends a transaction's definitions without effect. */
    public void rollBack(PendingDefinitions pending) {
        gate.writeLock().lock();
        try {
            List<SqlTable> created = state.tables().stream()
                    .filter(table -> pending.hasCreated(table.table()))
                    .toList();
            state = pending.before();
            turn.end();
            if (!created.isEmpty()) {
                turn.commitNow(batch -> created.forEach(table -> cold.dropped(batch, table)));
            }
            pending.rolledBack();
        } finally {
            gate.writeLock().unlock();
        }
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
            turn.awaitUninterruptibly();
            return change.get();
        } finally {
            gate.writeLock().unlock();
        }
    }
}
