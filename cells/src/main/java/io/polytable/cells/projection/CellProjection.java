package io.polytable.cells.projection;

import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.TablesChangedException;
import io.polytable.frontend.view.View;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The views of the cell tables that exist when it is created, to be followed. When a table is created, altered, replaced
 * or dropped, its session ends with a {@link TablesChangedException}, and the next one has the new set of tables.
 *
 * <p>A new table is filled from the snapshot. Its rows may be older than the feed's position, since a copied table
 * gets its rows before its definition. A note records which tables are filled.
 */
public final class CellProjection implements FollowedViews {
    private static final Logger LOG = LoggerFactory.getLogger(CellProjection.class);

    private final CellStore cells;
    private final InstantSource clock;
    private final Map<TableName, FamilyView> byPhysical = new HashMap<>();
    private final Map<TableName, FamilyView> byName = new LinkedHashMap<>();
    private final Set<String> incarnations;

    private CellProjection(CellStore cells, Reader reader, InstantSource clock) {
        this.cells = cells;
        this.clock = clock;
        List<LiveTable> tables = cells.tablesIn(reader);
        incarnations = incarnations(tables);
        tables.forEach(this::show);
    }

    /** Shows the current tables. */
    public static CellProjection of(CellStore cells, TableStore store, InstantSource clock) {
        return new CellProjection(cells, store, clock);
    }

    private void show(LiveTable table) {
        FamilyView view = new FamilyView(table, clock);
        if (byName.containsKey(view.name())) {
            LOG.warn(
                    "{} is not shown: there is another table whose name is shown as {}",
                    table.spec().name(),
                    view.name());
            return;
        }
        byName.put(view.name(), view);
        byPhysical.put(table.physical().name(), view);
    }

    private Set<String> incarnations(List<LiveTable> tables) {
        return tables.stream()
                .map(table -> new FamilyView(table, clock).incarnation())
                .collect(Collectors.toSet());
    }

    Iterable<FamilyView> shown() {
        return byName.values();
    }

    Optional<FamilyView> ofPhysical(TableName physical) {
        return Optional.ofNullable(byPhysical.get(physical));
    }

    @Override
    public List<View> views() {
        return List.copyOf(byName.values());
    }

    @Override
    public Set<Table> sources() {
        Set<Table> sources = new HashSet<>();
        sources.add(cells.definitionsTable());
        byName.values().forEach(view -> sources.add(view.table().physical()));
        return sources;
    }

    @Override
    public Session begin(Notes notes) {
        FilledTables filled = new FilledTables(notes);
        return end -> {
            if (!incarnations(cells.tablesIn(end)).equals(incarnations)) {
                throw new TablesChangedException("tables were created, altered or dropped");
            }
            return new CellWindow(this, end, filled);
        };
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

        boolean has(FamilyView view) {
            return filled.contains(view.incarnation());
        }

        /** Records that all rows of the table were reported; drops the entries of tables that no longer exist. */
        void add(FamilyView added, CellProjection projection) {
            Set<String> present = projection.incarnations;
            filled.removeIf(incarnation -> !present.contains(incarnation));
            filled.add(added.incarnation());
            notes.put(KEY, Bytes.utf8(String.join("\n", filled)));
        }

        void clear() {
            filled.clear();
        }
    }
}
