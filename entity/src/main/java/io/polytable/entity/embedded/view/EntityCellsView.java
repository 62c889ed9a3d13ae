package io.polytable.entity.embedded.view;

import io.polytable.cells.Cell;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.Selection;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewImport;
import io.polytable.frontend.view.ViewRows;
import io.polytable.frontend.view.ViewScan;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A view with one row per cell and all stored versions: the entity's key, family, column, timestamp, the value as text,
 * and its encoded bytes, from which an import restores it.
 */
final class EntityCellsView implements View {
    private static final String FAMILY = "family";
    private static final String COLUMN = "column";

    private final ShownTable table;
    private final List<Column> columns;

    EntityCellsView(ShownTable table) {
        this.table = table;
        columns = new ArrayList<>(table.keys().columns());
        columns.add(new Column(unlikeKeys(FAMILY), ColumnType.STRING));
        columns.add(new Column(unlikeKeys(COLUMN), ColumnType.STRING));
        columns.add(new Column(unlikeKeys("timestamp"), ColumnType.BIGINT));
        columns.add(new Column(unlikeKeys("value"), ColumnType.STRING));
        columns.add(new Column(unlikeKeys("stored"), ColumnType.BYTES));
    }

    /** A component of the key may have any name. */
    private String unlikeKeys(String name) {
        return table.keys().names().contains(name) ? "cell_" + name : name;
    }

    @Override
    public TableName name() {
        return table.cellsName();
    }

    @Override
    public List<Column> columns() {
        return List.copyOf(columns);
    }

    @Override
    public String writer() {
        return "the entity library";
    }

    @Override
    public Optional<ViewImport> importer() {
        return table.cellsImport().map(cells -> new EntityImport(table, cells));
    }

    @Override
    public boolean isReadableBy(String user) {
        return table.isReadableBy(user);
    }

    @Override
    public List<String> key() {
        return columns.subList(0, columns.size() - 2).stream().map(Column::name).toList();
    }

    @Override
    public ViewRows candidates(Reader reader, ViewScan scan) {
        return new Cells(table.rows(reader, table.keys().range(scan), selection(scan.ranges())));
    }

    private Selection selection(Map<String, ColumnRange> ranges) {
        Optional<String> family = only(ranges, unlikeKeys(FAMILY));
        Optional<String> column = only(ranges, unlikeKeys(COLUMN));
        Selection selection = Selection.ALL.withMaxVersions(Integer.MAX_VALUE);
        for (LayoutColumns.Family known : table.columns().families()) {
            boolean isAsked =
                    family.map(name -> name.equals(known.layout().name())).orElse(true);
            TreeSet<Bytes> names = new TreeSet<>();
            if (column.isPresent()) {
                known.storedQualifier(column.get()).ifPresent(name -> names.add(Bytes.utf8(name)));
            } else if (!known.isMap()) {
                known.byId().keySet().forEach(name -> names.add(Bytes.utf8(name)));
            }
            boolean isWhole = known.isMap() && column.isEmpty();
            if (isAsked && (isWhole || !names.isEmpty())) {
                selection = selection.with(
                        Bytes.utf8(known.layout().id()), isWhole ? FamilySelection.WHOLE : FamilySelection.of(names));
            }
        }
        // A selection without families means all families; the tests of each row then exclude every cell.
        return selection;
    }

    private static Optional<String> only(Map<String, ColumnRange> ranges, String column) {
        return Optional.ofNullable(ranges.get(column))
                .flatMap(ColumnRange::onlyValue)
                .map(value -> value instanceof Value.OfString text ? text.value() : "");
    }

    private final class Cells implements ViewRows {
        private final ShownTable.Rows rows;
        private final int keys = table.keys().columns().size();
        private @Nullable EntityId id;
        private Iterator<Cell> left = Collections.emptyIterator();
        private Optional<Shown> shown = Optional.empty();

        private record Shown(LayoutColumns.Family family, String column, Cell cell) {}

        Cells(ShownTable.Rows rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            shown = Optional.empty();
            while (shown.isEmpty()) {
                if (left.hasNext()) {
                    shown = shown(left.next());
                } else if (rows.next()) {
                    id = table.keys().id(rows.row().row());
                    left = rows.row().cells().iterator();
                } else {
                    return false;
                }
            }
            return true;
        }

        /** Cells of removed columns are hidden. */
        private Optional<Shown> shown(Cell cell) {
            String familyId = cell.family().utf8();
            return table.columns().families().stream()
                    .filter(family -> family.layout().id().equals(familyId))
                    .findFirst()
                    .flatMap(family -> family.shownQualifier(cell.qualifier().utf8())
                            .map(column -> new Shown(family, column, cell)));
        }

        @Override
        public void add(int column, ColumnVector target) {
            target.add(
                    column < keys
                            ? table.keys().value(Objects.requireNonNull(id), column)
                            : value(column - keys, shown.orElseThrow()));
        }

        private Value value(int column, Shown now) {
            return switch (column) {
                case 0 -> new Value.OfString(now.family.layout().name());
                case 1 -> new Value.OfString(now.column);
                case 2 -> new Value.OfBigint(now.cell.timestamp());
                case 3 -> new Value.OfString(table.text(now.family, now.column, now.cell.value()));
                default -> new Value.OfBytes(now.cell.value());
            };
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
