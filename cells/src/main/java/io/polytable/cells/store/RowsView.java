package io.polytable.cells.store;

import io.polytable.cells.Cell;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.FilterDecision;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.definition.LiveTable;
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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A view with one row per row key and, for each family, a JSON object of its newest cells. Of families that the query
 * does not use only one cell is read: which rows exist must not depend on the selected columns.
 */
public final class RowsView implements View {
    private static final String ROW_KEY = "row_key";

    private final LiveTable table;
    private final InstantSource clock;
    private final List<Column> columns = new ArrayList<>();

    public RowsView(LiveTable table, InstantSource clock) {
        this.table = table;
        this.clock = clock;
        columns.add(new Column(ROW_KEY, ColumnType.BYTES));
        table.spec().families().forEach(family -> columns.add(new Column(columnName(family), ColumnType.STRING)));
    }

    private static String columnName(FamilySpec family) {
        String name = family.name().utf8();
        return name.equals(ROW_KEY) ? "family_" + name : name;
    }

    @Override
    public TableName name() {
        return table.spec().name();
    }

    @Override
    public List<Column> columns() {
        return List.copyOf(columns);
    }

    @Override
    public String writer() {
        return "the HBase frontend";
    }

    /** Imports go to the cells' view: a row here has only the newest cells, without their timestamps. */
    @Override
    public Optional<TableName> importedInto() {
        return Optional.of(CellsView.nameOf(table));
    }

    @Override
    public List<String> key() {
        return List.of(ROW_KEY);
    }

    @Override
    public ViewRows candidates(Reader reader, ViewScan scan) {
        return new Rows(
                new ViewedCells(table.through(reader, clock.millis()), ViewedCells.rows(scan), selection(scan)),
                table.spec().families());
    }

    private Selection selection(ViewScan scan) {
        Set<Bytes> asked = new HashSet<>();
        for (FamilySpec family : table.spec().families()) {
            if (scan.columns().contains(columnName(family))) {
                asked.add(family.name());
            }
        }
        boolean all = asked.size() == table.spec().families().size();
        return all ? Selection.ALL : Selection.ALL.withFilter(new OneCellOfOthers(asked));
    }

    /** Includes every column of the queried families, and one cell of the others, which proves that the row exists. */
    private record OneCellOfOthers(Set<Bytes> asked) implements CellFilter {
        @Override
        public FilterDecision filter(Cell cell) {
            return asked.contains(cell.family())
                    ? FilterDecision.INCLUDE_AND_NEXT_COLUMN
                    : FilterDecision.INCLUDE_AND_NEXT_ROW;
        }
    }

    private record Rows(ViewedCells cells, List<FamilySpec> families) implements ViewRows {
        @Override
        public boolean next() {
            return cells.nextRow();
        }

        @Override
        public void add(int column, ColumnVector target) {
            if (column == 0) {
                target.add(new Value.OfBytes(cells.row().row()));
                return;
            }
            Bytes family = families.get(column - 1).name();
            StringBuilder json = new StringBuilder();
            for (Cell cell : cells.row().cells()) {
                if (cell.family().equals(family)) {
                    json.append(json.isEmpty() ? '{' : ',');
                    JsonText.append(json, cell.qualifier());
                    json.append(':');
                    JsonText.append(json, cell.value());
                }
            }
            target.add(
                    json.isEmpty()
                            ? new Value.Absent()
                            : new Value.OfString(json.append('}').toString()));
        }

        @Override
        public void close() {
            cells.close();
        }
    }
}
