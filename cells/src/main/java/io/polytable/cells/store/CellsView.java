package io.polytable.cells.store;

import io.polytable.cells.Cell;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.definition.LiveTable;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A view with one row per visible cell, for all versions that the families keep. A range of the row key becomes the
 * scan's range; equality on family or qualifier becomes a selection.
 */
public final class CellsView implements View {
    private static final List<Column> COLUMNS = List.of(
            new Column("row_key", ColumnType.BYTES),
            new Column("family", ColumnType.STRING),
            new Column("qualifier", ColumnType.BYTES),
            new Column("timestamp", ColumnType.BIGINT),
            new Column("value", ColumnType.BYTES));

    private final LiveTable table;
    private final CellTable written;
    private final InstantSource clock;

    /** @param written the table that imports write to */
    public CellsView(LiveTable table, CellTable written, InstantSource clock) {
        this.table = table;
        this.written = written;
        this.clock = clock;
    }

    @Override
    public TableName name() {
        return nameOf(table);
    }

    static TableName nameOf(LiveTable table) {
        TableName name = table.spec().name();
        return new TableName(name.namespace(), name.name() + "_cells");
    }

    @Override
    public List<Column> columns() {
        return COLUMNS;
    }

    @Override
    public String writer() {
        return "the HBase frontend";
    }

    @Override
    public Optional<ViewImport> importer() {
        return Optional.of(new CellsImport(written));
    }

    @Override
    public List<String> key() {
        return List.of("row_key", "family", "qualifier", "timestamp");
    }

    @Override
    public ViewRows candidates(Reader reader, ViewScan scan) {
        return new Rows(new ViewedCells(
                table.through(reader, clock.millis()), ViewedCells.rows(scan), selection(scan.ranges())));
    }

    private Selection selection(Map<String, ColumnRange> ranges) {
        Selection all = Selection.ALL.withMaxVersions(Integer.MAX_VALUE);
        Optional<Bytes> qualifier = only(ranges, "qualifier")
                .map(value -> value instanceof Value.OfBytes bytes ? bytes.value() : Bytes.EMPTY);
        FamilySelection wanted =
                qualifier.map(name -> FamilySelection.of(Set.of(name))).orElse(FamilySelection.WHOLE);
        Optional<Value> family = only(ranges, "family");
        Selection selection = all;
        for (FamilySpec candidate : table.spec().families()) {
            boolean asked = family.map(value ->
                            value.equals(new Value.OfString(candidate.name().utf8())))
                    .orElse(qualifier.isPresent());
            if (asked) {
                selection = selection.with(candidate.name(), wanted);
            }
        }
        return selection;
    }

    private static Optional<Value> only(Map<String, ColumnRange> ranges, String column) {
        return Optional.ofNullable(ranges.get(column)).flatMap(ColumnRange::onlyValue);
    }

    private record Rows(ViewedCells cells) implements ViewRows {
        @Override
        public boolean next() {
            return cells.nextCell();
        }

        @Override
        public void add(int column, ColumnVector target) {
            Cell cell = cells.cell();
            switch (column) {
                case 0 -> addBytes(target, cell.row());
                case 1 -> addBytes(target, cell.family());
                case 2 -> addBytes(target, cell.qualifier());
                case 3 -> target.add(new Value.OfBigint(cell.timestamp()));
                default -> addBytes(target, cell.value());
            }
        }

        private static void addBytes(ColumnVector target, Bytes value) {
            if (target instanceof ColumnVector.OfBytes bytes) {
                bytes.add(value);
            } else {
                target.add(new Value.OfBytes(value));
            }
        }

        @Override
        public void close() {
            cells.close();
        }
    }
}
