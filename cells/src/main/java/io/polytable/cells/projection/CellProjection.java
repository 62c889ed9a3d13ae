package io.polytable.cells.projection;

import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.view.Projection;
import io.polytable.table.view.ShownTable;
import io.polytable.table.view.TablesChangedException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The projection of the cell tables that exist when it is created. When a table is created, altered, replaced or
 * dropped, its session ends with a {@link TablesChangedException}, and the next projection has the new set of tables.
 *
 * <p>A new table is filled from the snapshot. Its rows may be older than the feed's position, since a copied table
 * gets its rows before its definition. A note records which tables are filled.
 */
public final class CellProjection implements Projection {
    private static final Logger LOG = LoggerFactory.getLogger(CellProjection.class);

    /** A cell table and its projected table. */
    record Shown(LiveTable table, ShownTable target, FamilyColumns columns) {}

    private final CellStore cells;
    private final InstantSource clock;
    private final Map<TableName, Shown> byPhysical = new HashMap<>();
    private final Map<TableName, Shown> byTarget = new HashMap<>();
    private final Set<String> incarnations;

    private CellProjection(CellStore cells, Reader reader, InstantSource clock) {
        this.cells = cells;
        this.clock = clock;
        List<LiveTable> tables = cells.tablesIn(reader);
        incarnations = incarnations(tables);
        tables.forEach(this::show);
    }

    /** Projects the current tables. */
    public static CellProjection of(CellStore cells, TableStore store, InstantSource clock) {
        return new CellProjection(cells, store, clock);
    }

    private void show(LiveTable table) {
        FamilyColumns columns = new FamilyColumns(table.spec().families());
        TableName name = new TableName("default", ShownNames.table(table.spec().name()));
        ShownTable target = new ShownTable(name, columns.columns(), List.of(ShownNames.ROW_KEY), 1, incarnation(table));
        if (byTarget.containsKey(name)) {
            LOG.warn(
                    "{} is not shown: there is another table whose name is shown as {}",
                    table.spec().name(),
                    name);
            return;
        }
        Shown shown = new Shown(table, target, columns);
        byTarget.put(name, shown);
        byPhysical.put(table.physical().name(), shown);
    }

    /**
     * Identifies a projected table: with another physical table or other families it is a different table to its
     * readers.
     */
    private static String incarnation(LiveTable table) {
        List<String> names = new FamilyColumns(table.spec().families())
                .columns().stream().map(Column::name).toList();
        return table.physical().name().name() + " " + String.join(",", names);
    }

    private static Set<String> incarnations(List<LiveTable> tables) {
        Set<String> incarnations = new HashSet<>();
        tables.forEach(table -> incarnations.add(incarnation(table)));
        return incarnations;
    }

    Iterable<Shown> shown() {
        return byTarget.values();
    }

    Optional<Shown> ofPhysical(TableName physical) {
        return Optional.ofNullable(byPhysical.get(physical));
    }

    Shown ofTarget(ShownTable target) {
        Shown shown = byTarget.get(target.name());
        if (shown == null) {
            throw new IllegalArgumentException("not a table of this projection: " + target.name());
        }
        return shown;
    }

    long nowMillis() {
        return clock.millis();
    }

    @Override
    public List<ShownTable> tables() {
        return byTarget.values().stream().map(Shown::target).toList();
    }

    @Override
    public Set<Table> sources() {
        Set<Table> sources = new HashSet<>();
        sources.add(cells.definitionsTable());
        byTarget.values().forEach(shown -> sources.add(shown.table().physical()));
        return sources;
    }

    @Override
    public Session begin(Notes notes) {
        FilledTables filled = new FilledTables(notes);
        return snapshot -> window(snapshot, filled);
    }

    private Window window(Snapshot snapshot, FilledTables filled) {
        if (!incarnations(cells.tablesIn(snapshot)).equals(incarnations)) {
            throw new TablesChangedException("tables were created, altered or dropped");
        }
        return new CellWindow(this, snapshot, filled);
    }

    /** The filled tables, persisted as a note: their incarnations. */
    static final class FilledTables {
        private static final Bytes KEY = Bytes.utf8("filled");

        private final Notes notes;
        private final List<String> filled = new ArrayList<>();

        FilledTables(Notes notes) {
            this.notes = notes;
            notes.read(List.of(KEY))
                    .get(0)
                    .ifPresent(note -> filled.addAll(List.of(note.utf8().split("\n", -1))));
        }

        boolean has(Shown shown) {
            return filled.contains(shown.target().incarnation());
        }

        /** Records that all rows of the table were reported; drops the entries of tables that no longer exist. */
        void add(Shown added, CellProjection projection) {
            Set<String> present = projection.incarnations;
            filled.removeIf(incarnation -> !present.contains(incarnation));
            filled.add(added.target().incarnation());
            notes.put(KEY, Bytes.utf8(String.join("\n", filled)));
        }

        void clear() {
            filled.clear();
        }
    }
}
