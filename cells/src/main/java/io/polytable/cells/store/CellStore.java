package io.polytable.cells.store;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.read.RangeScanner;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.store.definition.Definition;
import io.polytable.cells.store.definition.DefinitionCodec;
import io.polytable.cells.store.definition.Definitions;
import io.polytable.cells.store.definition.Definitions.Section;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.cells.store.definition.PhysicalTables;
import io.polytable.cells.store.definition.StoreFailures;
import io.polytable.cells.store.write.Nonces;
import io.polytable.cells.store.write.WritePath;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.view.View;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store of wide-column tables with HBase's semantics and none of its types, over a table store, which it does not own.
 * The HBase frontend serves it and the entity library writes to it.
 *
 * <ul>
 *   <li>A read returns each column's newest versions that are not masked by a delete, not expired, and within the
 *       number of versions that the family keeps.
 *   <li>A delete masks by timestamp, not by order of writing. It also masks a later put with an older timestamp, until
 *       the marker is compacted away.
 *   <li>A row write is atomic: all its edits are applied or none, and its conditions are checked with them.
 *   <li>Table definitions change one at a time; those calls block until the change is durable. Each change first creates
 *       the physical tables that the new definition needs, then persists the definition, then drops what is no longer
 *       needed. So a crash in between leaves at most an unreferenced physical table, which the next start drops.
 *   <li>Everything is thread-safe except scanners and filters.
 * </ul>
 *
 * <p>Refusals and failures are {@link CellException}s.
 */
public final class CellStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CellStore.class);

    private final TableStore store;
    private final CellStoreOptions options;
    private final Definitions definitions;
    private final PhysicalTables physical;
    private final CellRecords records;
    private final AnswerGate answers;
    private final WritePath writes;
    private final Compactor compactor;
    private final BackgroundCompaction background;

    private final NavigableMap<TableName, CellTable> tables = new ConcurrentSkipListMap<>(
            Comparator.comparing(TableName::namespace).thenComparing(TableName::name));
    private final Map<TableName, Definition> defined =
            new TreeMap<>(Comparator.comparing(TableName::namespace).thenComparing(TableName::name));

    /** Held by an alteration, which may take long; other changes of definitions do not wait for it. */
    private final Object alterations = new Object();

    private CellStore(TableStore store, CellStoreOptions options) {
        this.store = store;
        this.options = options;
        definitions = new Definitions(store);
        physical = new PhysicalTables(store);
        records = new CellRecords(definitions);
        Nonces nonces = new Nonces(options.nonceLife());
        answers = new AnswerGate(store);
        writes = new WritePath(store, answers, options.clock(), nonces);
        compactor = new Compactor(store, options);
        background = new BackgroundCompaction(options, compactor, nonces, this::readable, new MarkerLog());
    }

    public static CellStore open(TableStore store, CellStoreOptions options) {
        return StoreFailures.translated(() -> {
            CellStore cells = new CellStore(store, options);
            cells.load();
            cells.background.start();
            return cells;
        });
    }

    private synchronized void load() {
        List<Definition> found = definitions.definitions(Section.TABLE);
        Set<String> named = new HashSet<>();
        found.forEach(definition -> named.add(definition.physical()));
        definitions.definitions(Section.SAVED).forEach(saved -> named.add(saved.physical()));
        physical.dropOthersThan(named);
        for (Definition definition : found) {
            show(definition, physical.existing(definition.physical()));
            if (!definition.isReadable()) {
                LOG.warn("{}", String.valueOf(LiveTable.unreadable(definition).getMessage()));
            }
        }
    }

    private CellTable show(Definition definition, Table table) {
        TableName name = definition.spec().name();
        defined.put(name, definition);
        CellTable present = tables.get(name);
        if (present != null) {
            present.redefine(definition, table);
            return present;
        }
        CellTable created = new CellTable(store, answers, writes, definition, table);
        tables.put(name, created);
        return created;
    }

    private CellTable define(Definition definition, Table table) {
        definitions.put(Section.TABLE, Definitions.key(definition.spec().name()), DefinitionCodec.encode(definition));
        return show(definition, table);
    }

    /** {@link CellError#TABLE_EXISTS} if the name is taken. */
    public synchronized CellTable create(CellTableSpec spec) {
        requireAbsent(spec.name());
        return StoreFailures.translated(() -> {
            Table table = physical.create(spec);
            return define(Definition.ofNew(spec, table.name().name(), now()), table);
        });
    }

    private void requireAbsent(TableName name) {
        if (tables.containsKey(name)) {
            throw new CellException(CellError.TABLE_EXISTS, "There is a table of this name", Map.of("table", name));
        }
    }

    private long now() {
        return options.clock().millis();
    }

    public Optional<CellTable> find(TableName name) {
        return Optional.ofNullable(tables.get(name));
    }

    /** The table, or {@link CellError#NO_SUCH_TABLE}. */
    public CellTable table(TableName name) {
        return existing(name);
    }

    private CellTable existing(TableName name) {
        CellTable table = tables.get(name);
        if (table == null) {
            throw new CellException(CellError.NO_SUCH_TABLE, "There is no such table", Map.of("table", name));
        }
        return table;
    }

    private Definition definition(TableName name) {
        existing(name);
        Definition definition = defined.get(name);
        if (definition == null) {
            throw new IllegalStateException("a table without a definition: " + name);
        }
        return definition;
    }

    private Definition readable(TableName name) {
        return readable(definition(name));
    }

    private static Definition readable(Definition definition) {
        if (!definition.isReadable()) {
            throw LiveTable.unreadable(definition);
        }
        return definition;
    }

    private List<CellTable> readable() {
        return tables.values().stream().filter(CellTable::isReadable).toList();
    }

    /** All tables, by namespace and name. */
    public List<CellTable> tables() {
        return List.copyOf(tables.values());
    }

    /**
     * Replaces the specification of the table with the spec's name. The cells of removed families are deleted and stay
     * deleted if a family of the same name is added later.
     */
    public CellTable alter(CellTableSpec spec) {
        synchronized (alterations) {
            return StoreFailures.translated(() -> {
                String compacted = "";
                Optional<CellTable> altered = alter(spec, compacted);
                while (altered.isEmpty()) {
                    // A family that is added again must not find the cells of its predecessor.
                    CellTable table = existing(spec.name());
                    compacted = table.live().physical().name().name();
                    compactor.compact(table::live, false);
                    altered = alter(spec, compacted);
                }
                return altered.get();
            });
        }
    }

    /** Empty, with nothing changed, if the physical table must be compacted first and is not the one that was. */
    private synchronized Optional<CellTable> alter(CellTableSpec spec, String compacted) {
        Definition before = readable(spec.name());
        if (before.mayReviveCells(spec) && !before.physical().equals(compacted)) {
            return Optional.empty();
        }
        Table table = physical.existing(before.physical());
        CellTable altered = compactor.betweenPasses(() -> define(before.with(spec), table));
        if (removesFamilies(before.spec(), spec)) {
            // No read returns their cells; the background removes them.
            altered.written();
        }
        return Optional.of(altered);
    }

    private static boolean removesFamilies(CellTableSpec before, CellTableSpec after) {
        return before.families().stream()
                .anyMatch(family -> after.family(family.name()).isEmpty());
    }

    /** Drops the table and its cells; its handles then fail with {@link CellError#NO_SUCH_TABLE}. */
    public synchronized void drop(TableName name) {
        Definition definition = definition(name);
        StoreFailures.run(() -> {
            definitions.remove(Section.TABLE, Definitions.key(name));
            existing(name).dropped();
            tables.remove(name);
            defined.remove(name);
            physical.drop(physical.existing(definition.physical()));
        });
    }

    /** Drops all cells and keeps the definition. */
    public synchronized CellTable truncate(TableName name) {
        Definition before = readable(name);
        return StoreFailures.translated(() -> {
            Table next = physical.create(before.spec());
            return replace(before, Definition.ofNew(before.spec(), next.name().name(), now()), next);
        });
    }

    /**
     * Drops all cells of a range of rows. Returns when that is durable; if it fails, some of the rows may be gone. What
     * is written to these rows meanwhile may stay.
     */
    public void truncate(TableName name, RowRange range) {
        CellTable table = existing(name);
        // Not during a pass of a compaction, which may remove the same cells.
        StoreFailures.run(() -> compactor.betweenPasses(() -> {
            writes.remove(table.live(), range);
            return range;
        }));
    }

    /** Replaces the table's physical table. */
    private CellTable replace(Definition before, Definition after, Table next) {
        Table old = physical.existing(before.physical());
        CellTable replaced = define(after, next);
        physical.drop(old);
        return replaced;
    }

    /** Creates a table with all current cells, versions and markers of the source. */
    public synchronized CellTable copy(TableName source, TableName target) {
        Definition from = readable(source);
        requireAbsent(target);
        return StoreFailures.translated(() -> {
            CellTableSpec spec = from.spec().withName(target);
            Table copy = copyOf(from, spec);
            return define(from.with(spec).withPhysical(copy.name().name()).at(now()), copy);
        });
    }

    private Table copyOf(Definition source, CellTableSpec spec) {
        return physical.copy(physical.existing(source.physical()), spec);
    }

    /** Saves a copy of the table's current state under a name. */
    public synchronized SavedTable save(TableName table, String savedName) {
        Definition source = readable(table);
        Bytes key = Bytes.utf8(savedName);
        if (savedName.isEmpty() || savedName.length() > 255) {
            throw new CellException(CellError.BAD_REQUEST, "A copy's name is empty or too long");
        }
        return StoreFailures.translated(() -> {
            if (definitions.read(Section.SAVED, key).isPresent()) {
                throw new CellException(
                        CellError.SNAPSHOT_EXISTS, "There is a copy of this name", Map.of("name", savedName));
            }
            Table copy = copyOf(source, source.spec());
            Definition saved = source.withPhysical(copy.name().name()).at(now());
            definitions.put(Section.SAVED, key, DefinitionCodec.encode(saved));
            return new SavedTable(savedName, saved.spec(), saved.savedMillis());
        });
    }

    public List<SavedTable> saved() {
        return StoreFailures.translated(() -> {
            List<SavedTable> found = new ArrayList<>();
            definitions.all(Section.SAVED, Bytes.EMPTY).forEach((key, value) -> {
                Definition saved = DefinitionCodec.decode(value);
                found.add(new SavedTable(key.utf8(), saved.spec(), saved.savedMillis()));
            });
            return found;
        });
    }

    private Definition savedDefinition(String savedName) {
        return definitions
                .read(Section.SAVED, Bytes.utf8(savedName))
                .map(DefinitionCodec::decode)
                .orElseThrow(() -> new CellException(
                        CellError.NO_SUCH_SNAPSHOT, "There is no copy of this name", Map.of("name", savedName)));
    }

    /**
     * Replaces the table's content and specification by the saved copy's, creating the table if missing; the copy
     * stays.
     */
    public synchronized CellTable restore(String savedName, TableName table) {
        return StoreFailures.translated(() -> {
            Definition saved = readable(savedDefinition(savedName));
            CellTableSpec spec = saved.spec().withName(table);
            Table copy = copyOf(saved, spec);
            Definition restored =
                    saved.with(spec).withPhysical(copy.name().name()).at(now());
            return tables.containsKey(table) ? replace(definition(table), restored, copy) : define(restored, copy);
        });
    }

    public synchronized void forget(String savedName) {
        StoreFailures.run(() -> {
            Definition saved = savedDefinition(savedName);
            definitions.remove(Section.SAVED, Bytes.utf8(savedName));
            physical.drop(physical.existing(saved.physical()));
        });
    }

    /**
     * Removes stored cells that no read can return: expired, masked, and versions beyond what the family keeps. Blocks
     * until the whole table is done; the background compaction does the same in small steps.
     *
     * @param markers whether to remove delete markers too; from then on puts with older timestamps are visible again
     */
    public void compact(TableName name, boolean markers) {
        CellTable table = existing(name);
        StoreFailures.run(() -> {
            compactor.compact(table::live, markers);
            if (markers) {
                markersDropped(name);
            }
        });
    }

    /** Records when a table's markers were last removed, so that background compaction knows when to do it again. */
    private synchronized void markersDropped(TableName name) {
        if (tables.containsKey(name)) {
            CellTable table = existing(name);
            define(definition(name).at(now()), table.live().physical());
        }
    }

    private final class MarkerLog implements BackgroundCompaction.MarkerTimes {
        @Override
        public long lastMillis(TableName table) {
            synchronized (CellStore.this) {
                Definition definition = defined.get(table);
                return definition == null ? Long.MAX_VALUE : definition.savedMillis();
            }
        }

        @Override
        public void removed(TableName table) {
            markersDropped(table);
        }
    }

    public CellRecords records() {
        return records;
    }

    /** SQL views of the current tables: for each, one with a row per row key and one with a row per cell. */
    public List<View> views() {
        List<View> views = new ArrayList<>();
        for (CellTable table : readable()) {
            LiveTable live = table.live();
            views.add(new RowsView(live, options.clock()));
            views.add(new CellsView(live, table, options.clock()));
        }
        return views;
    }

    /** The tables that a reader, perhaps an older snapshot, sees defined, without those dropped since. */
    public List<LiveTable> tablesIn(Reader reader) {
        List<LiveTable> found = new ArrayList<>();
        for (Definition definition : definitions.definitions(reader, Section.TABLE)) {
            physical.find(definition.physical())
                    .filter(table -> definition.isReadable())
                    .ifPresent(table -> found.add(LiveTable.of(definition, table)));
        }
        return found;
    }

    /** Changes whenever a table is created, altered, replaced or dropped. */
    public Table definitionsTable() {
        return definitions.table();
    }

    /**
     * A scan through a reader of the table store, for views of modules that store their own data as cells. The reader
     * must outlive the scan.
     */
    public CellScanner scan(TableName name, Reader reader, ScanRequest request) {
        return new RangeScanner(
                existing(name).live().through(reader, options.clock().millis()), request, () -> {});
    }

    /** Verifies every stored row, without changes. */
    public CellCheck.Report check() {
        return StoreFailures.translated(() -> new CellCheck(store, false).run(liveTables()));
    }

    /** Whether this is the physical table of a cell table. */
    public static boolean isCells(TableName table) {
        return table.namespace().equals(Definitions.NAMESPACE) && !table.equals(Definitions.NAME);
    }

    /** Whether a table store has, or ever had, cell tables. */
    public static boolean isUsed(TableStore store) {
        return store.tables().stream().anyMatch(table -> table.name().equals(Definitions.NAME));
    }

    /**
     * Verifies the stored rows of a store that {@link #isUsed}, without changes, even while another cell store has it
     * open.
     */
    public static CellCheck.Report checkStored(TableStore store) {
        return StoreFailures.translated(() -> {
            PhysicalTables physical = new PhysicalTables(store);
            Definitions stored = new Definitions(store);
            List<LiveTable> all = new ArrayList<>(existing(physical, stored.definitions(Section.TABLE)));
            all.addAll(existing(physical, stored.definitions(Section.SAVED)));
            return new CellCheck(store, false).run(all);
        });
    }

    /** Corrects or removes what {@link #check()} finds; returns the findings. */
    public CellCheck.Report repair() {
        return StoreFailures.translated(() -> new CellCheck(store, true).run(liveTables()));
    }

    private static List<LiveTable> existing(PhysicalTables physical, List<Definition> definitions) {
        return definitions.stream()
                .filter(Definition::isReadable)
                .map(found -> LiveTable.of(found, physical.existing(found.physical())))
                .toList();
    }

    /** The tables and the saved copies. */
    private synchronized List<LiveTable> liveTables() {
        List<LiveTable> all =
                new ArrayList<>(readable().stream().map(CellTable::live).toList());
        all.addAll(existing(physical, definitions.definitions(Section.SAVED)));
        return all;
    }

    /** Runs one sweep of background compaction over all tables; only for stores without the background thread. */
    void runBackgroundOnce() {
        background.finishAll();
    }

    /** Runs one turn of background compaction; only for stores without the background thread. */
    void runBackgroundTurn() {
        background.turn();
    }

    /** Stops background compaction; the table store stays open. */
    @Override
    public void close() {
        background.close();
        writes.close();
    }
}
