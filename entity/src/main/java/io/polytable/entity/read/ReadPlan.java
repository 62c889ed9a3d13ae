package io.polytable.entity.read;

import io.polytable.entity.filter.ColumnFilter;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.session.LayoutState;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.StoredRow;
import io.polytable.entity.store.ValueMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A request translated under a layout. Paged columns are not read with the row: the plan only looks for one cell of
 * them, without its value, so that a scan finds entities that have nothing else. A request without columns does so for
 * every family.
 */
final class ReadPlan {
    private final LayoutState state;
    private final DataRequest request;
    private final RowQuery query;
    private final Map<String, LayoutColumns.Family> byId = new HashMap<>();

    ReadPlan(LayoutState state, DataRequest request) {
        this.state = state;
        this.request = request;
        List<ColumnQuery> queries = new ArrayList<>();
        for (ColumnRequest column : request.columns().values()) {
            ColumnQuery whole = query(column);
            queries.add(column.isPaged() ? probe(whole) : whole);
        }
        state.columns().families().forEach(family -> byId.put(family.layout().id(), family));
        if (request.columns().isEmpty()) {
            for (LayoutColumns.Family family : state.columns().families()) {
                ColumnRequest any =
                        ColumnRequest.of(ColumnName.family(family.layout().name()));
                queries.add(probe(query(any)));
            }
        }
        query = new RowQuery(queries, request.consistency());
    }

    LayoutState state() {
        return state;
    }

    DataRequest request() {
        return request;
    }

    RowQuery query() {
        return query;
    }

    private static ColumnQuery probe(ColumnQuery whole) {
        return new ColumnQuery(
                whole.groupId(),
                whole.familyId(),
                whole.qualifiers(),
                whole.times(),
                1,
                whole.filter(),
                ValueMode.NONE,
                1,
                Optional.empty());
    }

    /** The query of one requested column or family. */
    ColumnQuery query(ColumnRequest column) {
        LayoutColumns.Family family = state.columns().family(column.column().family());
        CellTimes times = request.times();
        return new ColumnQuery(
                family.group().id(),
                family.layout().id(),
                qualifiers(family, column),
                times,
                column.maxVersions(),
                family.isMap() ? column.filter() : Optional.empty(),
                column.values(),
                ColumnQuery.NO_LIMIT,
                Optional.empty());
    }

    private Optional<NavigableSet<String>> qualifiers(LayoutColumns.Family family, ColumnRequest column) {
        NavigableSet<String> names = new TreeSet<>();
        // Columns are known by name, so the filter is evaluated here; a renamed column is stored under its first name.
        Optional<ColumnFilter> filter = family.isMap() ? Optional.empty() : column.filter();
        if (!column.column().isFamily()) {
            String stored = state.columns().storedQualifier(column.column());
            Optional<String> shown = family.shownQualifier(stored);
            if (filter.isEmpty() || shown.isEmpty() || filter.get().accepts(shown.get())) {
                names.add(stored);
            }
            return Optional.of(names);
        }
        if (family.isMap()) {
            return Optional.empty();
        }
        for (ColumnLayout known : family.byId().values()) {
            if (filter.isEmpty() || filter.get().accepts(known.name())) {
                names.add(known.id());
            }
        }
        return Optional.of(names);
    }

    /** The requested cells of a row, without paged ones and those of removed columns. */
    List<EntityCell> cells(StoredRow row) {
        List<EntityCell> cells = new ArrayList<>(row.cells().size());
        for (StoredCell cell : row.cells()) {
            shown(cell).ifPresent(cells::add);
        }
        return cells;
    }

    /** Whether the row has a cell that matches this plan's queries. */
    boolean isIn(StoredRow row) {
        return row.cells().stream()
                .anyMatch(cell -> query.columns().stream()
                        .anyMatch(wanted -> wanted.familyId().equals(cell.familyId())
                                && wanted.qualifiers()
                                        .map(names -> names.contains(cell.qualifier()))
                                        .orElse(true)));
    }

    private Optional<EntityCell> shown(StoredCell cell) {
        LayoutColumns.Family family = byId.get(cell.familyId());
        if (family == null) {
            return Optional.empty();
        }
        return family.shownQualifier(cell.qualifier())
                .map(qualifier -> ColumnName.of(family.layout().name(), qualifier))
                .flatMap(column -> requested(family, column)
                        .filter(wanted -> !wanted.isPaged())
                        .map(wanted -> cell(column, wanted, cell)));
    }

    /** The request for the column, possibly under an alias. */
    private Optional<ColumnRequest> requested(LayoutColumns.Family family, ColumnName column) {
        Optional<ColumnRequest> direct = request.of(column);
        if (direct.isPresent()) {
            return direct;
        }
        return request.columns().values().stream()
                .filter(wanted -> state.columns()
                        .family(wanted.column().family())
                        .layout()
                        .id()
                        .equals(family.layout().id()))
                .filter(wanted -> wanted.column().isFamily()
                        || state.columns()
                                .storedQualifier(wanted.column())
                                .equals(state.columns().storedQualifier(column)))
                .findFirst();
    }

    EntityCell cell(ColumnName column, ColumnRequest wanted, StoredCell cell) {
        return new EntityCell(
                column, cell.timestamp(), cell.value(), state.codec(column), wanted.as(), wanted.values());
    }

    /** The shown column of a stored qualifier. */
    Optional<ColumnName> column(ColumnName requested, String storedQualifier) {
        LayoutColumns.Family family = state.columns().family(requested.family());
        return family.shownQualifier(storedQualifier)
                .map(qualifier -> ColumnName.of(family.layout().name(), qualifier));
    }
}
