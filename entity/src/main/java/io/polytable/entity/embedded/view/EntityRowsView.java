package io.polytable.entity.embedded.view;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.request.Selection;
import io.polytable.entity.embedded.Selections;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.ValueMode;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewRows;
import io.polytable.frontend.view.ViewScan;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A view with one row per entity: the columns of its key, then the newest value of each column, and for each map-type
 * family a JSON object of its newest values. Values that are not selected are not read. For their columns the view only
 * checks that a cell exists, so that its rows do not depend on the selected columns.
 */
final class EntityRowsView implements View {
    private final ShownTable table;
    private final List<Shown> shown = new ArrayList<>();
    private final List<Column> columns;

    /** A column of the layout, or a map-type family, as a column of the view. */
    private record Shown(Column column, LayoutColumns.Family family, Optional<ColumnLayout> layout) {
        boolean isMap() {
            return layout.isEmpty();
        }
    }

    EntityRowsView(ShownTable table) {
        this.table = table;
        columns = new ArrayList<>(table.keys().columns());
        Set<String> taken = new HashSet<>(table.keys().names());
        for (LayoutColumns.Family family : table.columns().families()) {
            if (family.isMap()) {
                add(
                        family,
                        Optional.empty(),
                        name(taken, family.layout().name(), family.layout().name() + ":"));
                continue;
            }
            family.byId().values().stream()
                    .sorted(Comparator.comparing(
                            column -> family.layout().columns().indexOf(column)))
                    .forEach(column -> add(
                            family,
                            Optional.of(column),
                            name(
                                    taken,
                                    family.layout().name() + "_" + column.name(),
                                    family.layout().name() + ":" + column.name())));
        }
    }

    /** A name that needs no quotes, unless another column has it. */
    private static String name(Set<String> taken, String plain, String exact) {
        return taken.add(plain) ? plain : exact;
    }

    private void add(LayoutColumns.Family family, Optional<ColumnLayout> layout, String name) {
        ColumnType type =
                layout.map(column -> ShownValues.type(column.schema())).orElse(ColumnType.STRING);
        Column column = new Column(name, type);
        shown.add(new Shown(column, family, layout));
        columns.add(column);
    }

    @Override
    public TableName name() {
        return table.name();
    }

    @Override
    public List<Column> columns() {
        return List.copyOf(columns);
    }

    @Override
    public String writer() {
        return "the entity library";
    }

    /** A row has only the newest values, without their timestamps. */
    @Override
    public Optional<TableName> importedInto() {
        return Optional.of(table.cellsName());
    }

    @Override
    public boolean isReadableBy(String user) {
        return table.isReadableBy(user);
    }

    @Override
    public List<String> key() {
        return table.keys().names();
    }

    @Override
    public ViewRows candidates(Reader reader, ViewScan scan) {
        return new Rows(table.rows(reader, table.keys().range(scan), selection(scan)));
    }

    private Selection selection(ViewScan scan) {
        List<ColumnQuery> queries = new ArrayList<>();
        for (LayoutColumns.Family family : table.columns().families()) {
            NavigableSet<String> asked = new TreeSet<>();
            boolean isAsked = false;
            for (Shown column : shown) {
                if (column.family.equals(family) && scan.columns().contains(column.column.name())) {
                    isAsked = true;
                    column.layout.ifPresent(layout -> asked.add(layout.id()));
                }
            }
            if (family.isMap()) {
                queries.add(query(family, Optional.empty(), isAsked));
                continue;
            }
            NavigableSet<String> others = new TreeSet<>(family.byId().keySet());
            others.removeAll(asked);
            if (!asked.isEmpty()) {
                queries.add(query(family, Optional.of(asked), true));
            }
            if (!others.isEmpty()) {
                queries.add(query(family, Optional.of(others), false));
            }
        }
        return Selections.of(new RowQuery(queries));
    }

    private static ColumnQuery query(
            LayoutColumns.Family family, Optional<NavigableSet<String>> names, boolean isAsked) {
        return new ColumnQuery(
                family.group().id(),
                family.layout().id(),
                names,
                CellTimes.ALL,
                1,
                Optional.empty(),
                isAsked ? ValueMode.FULL : ValueMode.NONE,
                isAsked ? ColumnQuery.NO_LIMIT : 1,
                Optional.empty());
    }

    private final class Rows implements ViewRows {
        private final ShownTable.Rows rows;
        private final int keys = table.keys().columns().size();
        private @Nullable EntityId id;

        Rows(ShownTable.Rows rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            if (!rows.next()) {
                return false;
            }
            id = table.keys().id(rows.row().row());
            return true;
        }

        @Override
        public void add(int column, ColumnVector target) {
            target.add(
                    column < keys
                            ? table.keys().value(Objects.requireNonNull(id), column)
                            : value(shown.get(column - keys), rows.row()));
        }

        private Value value(Shown column, CellRow row) {
            return column.isMap() ? map(column, row) : single(column, row);
        }

        private Value single(Shown column, CellRow row) {
            ColumnLayout layout = column.layout.orElseThrow();
            Bytes family = Bytes.utf8(column.family.layout().id());
            Bytes qualifier = Bytes.utf8(layout.id());
            for (Cell cell : row.cells()) {
                if (cell.family().equals(family) && cell.qualifier().equals(qualifier)) {
                    return ShownValues.value(
                            column.column.type(),
                            layout.schema(),
                            table.codec(column.family, layout.name()),
                            cell.value());
                }
            }
            return new Value.Absent();
        }

        private Value map(Shown column, CellRow row) {
            Bytes family = Bytes.utf8(column.family.layout().id());
            JsonObject json = new JsonObject();
            for (Cell cell : row.cells()) {
                if (cell.family().equals(family)) {
                    String qualifier = cell.qualifier().utf8();
                    json.put(qualifier, ShownValues.decoded(table.codec(column.family, qualifier), cell.value()));
                }
            }
            return json.isEmpty() ? new Value.Absent() : new Value.OfString(json.toString());
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
