package io.polytable.store.engine;

import io.polytable.store.merge.Source;
import io.polytable.store.state.Family;
import io.polytable.store.state.State;
import io.polytable.store.state.StateTable;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Limits;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.codec.SpecCodec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog of tables. Each table is a row of the catalog's own table (id 0): table id to spec. The row with id 0
 * holds the next id, so ids are never reused. Catalog changes go through the log like all rows, so replay meets them in
 * order. A column family is created before its catalog row is committed, and dropped after the row's deletion is
 * flushed. A crash can therefore leave at worst a family without a row. It is dropped at the next start, or before a
 * table of its name is created: a new table never gets a non-empty family.
 */
final class Catalog {
    private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);
    static final String FAMILY = "system_table:catalog";

    /** No other system table may have this name. */
    private static final TableName DEADLINES = new TableName(TableName.SYSTEM_NAMESPACE, "deadlines");

    private static final int CATALOG_ID = 0;
    private static final TableSpec SPEC = new TableSpec(
            new TableName("system", "catalog"),
            TableKind.SYSTEM,
            List.of(new Column("table_id", ColumnType.INT), new Column("spec", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("table_id")),
            List.of(),
            TableOptions.DEFAULT);

    private final State state;
    private final EngineTable own;
    private final Map<TableName, EngineTable> byName = new ConcurrentSkipListMap<>(
            Comparator.comparing(TableName::namespace).thenComparing(TableName::name));
    private final Map<Integer, EngineTable> byId = new ConcurrentHashMap<>();

    /** Dropped tables whose families still exist: their last rows are applied for the cursors that read them. */
    private final Map<Integer, EngineTable> dropping = new ConcurrentHashMap<>();

    /** The number of drops since the start. */
    private final AtomicInteger drops = new AtomicInteger();

    private final Membership member;
    private final IntConsumer emptyTables;
    private int nextId;

    /**
     * Reads the tables that the state has; replay of the log adds the rest. Reports each table that is empty as yet.
     */
    Catalog(State state, Membership member, IntConsumer emptyTables) {
        this.state = state;
        this.emptyTables = emptyTables;
        this.member = member;
        nextId = member.firstTableId();
        state.create(new Family(FAMILY, TableKind.SYSTEM, TableOptions.DEFAULT));
        own = new EngineTable(CATALOG_ID, SPEC, state.table(FAMILY));
        Map<Integer, TableSpec> specs = read();
        reopenIfTuned(specs);
        specs.forEach(this::add);
    }

    private Map<Integer, TableSpec> read() {
        Map<Integer, TableSpec> specs = new HashMap<>();
        try (Source rows = state.scan(own.state(), KeyRange.ALL, Direction.FORWARD)) {
            while (rows.next()) {
                int id = idOf(rows.key());
                if (id == CATALOG_ID) {
                    nextId = idOf(rows.value());
                } else {
                    specs.put(id, SpecCodec.decode(rows.value()));
                }
            }
        }
        return specs;
    }

    private void reopenIfTuned(Map<Integer, TableSpec> specs) {
        Map<String, Family> known =
                families(specs.values().stream().map(Family::of).toList());
        if (known.values().stream().anyMatch(family -> !family.options().equals(TableOptions.DEFAULT))) {
            state.reopen(known, false, () -> {});
        }
    }

    private static Map<String, Family> families(List<Family> all) {
        Map<String, Family> byName = new HashMap<>();
        all.forEach(family -> byName.put(family.name(), family));
        return byName;
    }

    /** As {@link State#reopen}, which clears a background error, with the options of all tables. */
    synchronized void reopenState(boolean closesHandles, Runnable refill) {
        List<Family> all =
                byId.values().stream().map(table -> Family.of(table.spec())).toList();
        state.reopen(families(all), closesHandles, refill);
    }

    private void add(int id, TableSpec spec) {
        if (member.partitionOf(id) != member.partition()) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The data was written with another number of partitions",
                    Map.of("table", spec.name(), "partitions", member.partitions()));
        }
        Family family = Family.of(spec);
        state.create(family);
        EngineTable table = new EngineTable(id, spec, state.table(family.name()));
        if (isEmpty(table.state())) {
            emptyTables.accept(id);
        }
        byId.put(id, table);
        byName.put(spec.name(), table);
        nextId = Math.max(nextId, member.tableIdAfter(id));
    }

    private boolean isEmpty(StateTable table) {
        try (Source rows = state.scan(table, KeyRange.ALL, Direction.FORWARD)) {
            return !rows.next();
        } catch (StoreException e) {
            if (e.error() != StoreError.CORRUPT) {
                throw e;
            }
            // One damaged table must not keep the others from being served.
            LOG.error("A table is damaged", e);
            return false;
        }
    }

    /** Applies a row of the log, if it is a row of the catalog. */
    synchronized void replay(EncodedRow row) {
        if (row.table() != CATALOG_ID) {
            return;
        }
        int id = idOf(row.key());
        if (row.op() == EncodedRow.DELETE) {
            forget(id);
        } else if (id == CATALOG_ID) {
            nextId = idOf(row.value());
        } else {
            TableSpec spec = SpecCodec.decode(row.value());
            EngineTable present = byId.get(id);
            if (present == null) {
                add(id, spec);
            } else {
                present.alter(spec);
            }
        }
    }

    /** The leftover family of a dropped table, if the row creates another table of the same name. */
    synchronized Set<String> leftBehind(EncodedRow row) {
        if (row.table() != CATALOG_ID || row.op() == EncodedRow.DELETE) {
            return Set.of();
        }
        int id = idOf(row.key());
        if (id == CATALOG_ID || byId.containsKey(id)) {
            return Set.of();
        }
        String family = Family.of(SpecCodec.decode(row.value())).name();
        // The state may already include the drop and still have the family, if the process ended before it removed it.
        boolean left = orphans().contains(family) && (drops.get() > 0 || !isEmpty(state.table(family)));
        return left ? Set.of(family) : Set.of();
    }

    private void forget(int id) {
        EngineTable table = byId.remove(id);
        if (table != null) {
            byName.remove(table.name());
            table.drop();
            drops.incrementAndGet();
        }
    }

    /** Families without a table: leftovers of a drop or creation that a crash interrupted. */
    Set<String> orphans() {
        Set<String> names = new HashSet<>(state.familyNames());
        names.remove("default");
        names.remove(FAMILY);
        byId.values().forEach(table -> names.remove(Family.of(table.spec()).name()));
        return names;
    }

    Optional<EngineTable> find(TableName name) {
        return Optional.ofNullable(byName.get(name)).filter(table -> !isDeadlines(table));
    }

    /** The index of row deadlines that older versions kept. */
    Optional<EngineTable> deadlines() {
        return Optional.ofNullable(byName.get(DEADLINES)).filter(Catalog::isDeadlines);
    }

    private static boolean isDeadlines(Table table) {
        return table.name().equals(DEADLINES) && table.spec().kind() == TableKind.SYSTEM;
    }

    EngineTable existing(TableName name) {
        return find(name)
                .orElseThrow(
                        () -> new StoreException(StoreError.NO_SUCH_TABLE, "No such table", Map.of("table", name)));
    }

    /** All tables except internal ones. */
    List<EngineTable> shown() {
        return byName.values().stream().filter(table -> !isDeadlines(table)).toList();
    }

    /** The tables known to be damaged. */
    List<TableName> damaged() {
        return all().stream()
                .filter(table -> table.state().isDamaged())
                .map(EngineTable::name)
                .toList();
    }

    List<EngineTable> all() {
        return new ArrayList<>(byName.values());
    }

    Optional<EngineTable> byId(int id) {
        return id == CATALOG_ID ? Optional.of(own) : Optional.ofNullable(byId.get(id));
    }

    /**
     * Where rows of the table are applied; empty once its family was dropped. The rows that a table got before its drop
     * are applied like all others: a cursor that is still open must find them in the state.
     */
    Optional<StateTable> stateOf(int id) {
        return byId(id).or(() -> Optional.ofNullable(dropping.get(id))).map(EngineTable::state);
    }

    /**
     * Refuses a batch with rows of a dropped table. Returns an action that checks again if there were drops since, to be
     * run when the batch gets its position: no row of a table may follow its drop, as it could not be applied.
     */
    Runnable check(Batch batch) {
        int seen = drops.get();
        checkSince(batch, 0);
        if (state.isAnyDamaged()) {
            requireUndamaged(batch);
        }
        return () -> checkSince(batch, seen);
    }

    /** It is unknown what a write to a damaged table replaces, and its files are not compacted. */
    private void requireUndamaged(Batch batch) {
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < batch.size(); i++) {
            Optional<EngineTable> table = byId(batch.row(row, i).table());
            if (table.isPresent() && table.get().state().isDamaged()) {
                throw new StoreException(
                        StoreError.CORRUPT,
                        "The table is damaged and read-only",
                        Map.of("table", table.get().name()));
            }
        }
    }

    private void checkSince(Batch batch, int seenDrops) {
        if (drops.get() == seenDrops) {
            return;
        }
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < batch.size(); i++) {
            int id = batch.row(row, i).table();
            if (byId(id).isEmpty()) {
                throw new StoreException(StoreError.NO_SUCH_TABLE, "The table was dropped", Map.of("id", id));
            }
        }
    }

    /** Creates the table's family and adds the rows that create the table to the batch. */
    synchronized int prepare(TableSpec spec, Batch batch) {
        if (byName.size() >= Limits.TABLES_MAX) {
            throw new StoreException(StoreError.TOO_MANY, "Too many tables", Map.of("limit", Limits.TABLES_MAX));
        }
        requireFree(Family.of(spec).name());
        int id = nextId;
        nextId = member.tableIdAfter(id);
        state.create(Family.of(spec));
        batch.put(own, key(id), SpecCodec.encode(spec));
        batch.put(own, key(CATALOG_ID), bytes(nextId));
        return id;
    }

    /** Older versions let system tables of two namespaces share a family; such a family stays with its table alone. */
    private void requireFree(String family) {
        if (state.familyNames().contains(family)) {
            throw new StoreException(
                    StoreError.TABLE_EXISTS, "Another table has the rows of this name", Map.of("family", family));
        }
    }

    /** Called once the rows of {@link #prepare} are durable. */
    synchronized EngineTable created(int id, TableSpec spec) {
        add(id, spec);
        return byId.getOrDefault(id, own);
    }

    Batch alteration(EngineTable table, TableSpec next) {
        return new Batch().put(own, key(table.id()), SpecCodec.encode(next));
    }

    Batch deletion(EngineTable table) {
        return new Batch().delete(own, key(table.id()));
    }

    /** Called once the rows of {@link #deletion} are durable. From now on no row of the table can be committed. */
    synchronized void dropped(EngineTable table) {
        dropping.put(table.id(), table);
        forget(table.id());
    }

    /** Drops families without a table, after their last rows were applied. */
    synchronized void dropFamilies(Set<String> names) {
        dropping.values()
                .removeIf(table -> names.contains(Family.of(table.spec()).name()));
        names.forEach(state::drop);
    }

    private static RowKey key(int id) {
        return RowKey.whole(bytes(id));
    }

    private static Bytes bytes(int id) {
        return Bytes.of(ByteBuffer.allocate(4).putInt(id).array());
    }

    private static int idOf(Bytes bytes) {
        return ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()).getInt();
    }
}
