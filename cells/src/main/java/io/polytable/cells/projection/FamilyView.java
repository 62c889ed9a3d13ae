package io.polytable.cells.projection;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellRow;
import io.polytable.cells.read.RowReads;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.ViewedCells;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.frontend.view.RowLookup;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewRows;
import io.polytable.frontend.view.ViewScan;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.Value;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A view with one row per row key and one BYTES column per family, for copies in another system. */
final class FamilyView implements View {
    private final LiveTable table;
    private final FamilyColumns columns;
    private final InstantSource clock;

    FamilyView(LiveTable table, InstantSource clock) {
        this.table = table;
        this.columns = new FamilyColumns(table.spec().families());
        this.clock = clock;
    }

    LiveTable table() {
        return table;
    }

    @Override
    public TableName name() {
        return new TableName("default", ShownNames.table(table.spec().name()));
    }

    @Override
    public List<Column> columns() {
        return columns.columns();
    }

    @Override
    public List<String> key() {
        return List.of(ShownNames.ROW_KEY);
    }

    /** With another physical table or other families it is a different table to its readers. */
    @Override
    public String incarnation() {
        return table.physical().name().name() + " "
                + columns().stream().map(Column::name).collect(Collectors.joining(","));
    }

    @Override
    public RowLookup lookup(Reader reader) {
        return key -> row(reader, ((Value.OfBytes) key.get(0)).value());
    }

    private Optional<List<Value>> row(Reader reader, Bytes row) {
        try {
            CellRow found = RowReads.read(table.through(reader, clock.millis()), row, Selection.ALL);
            return found.isEmpty() ? Optional.empty() : Optional.of(columns.values(found));
        } catch (CellException e) {
            if (e.error() != CellError.TOO_LARGE) {
                throw e;
            }
            return Optional.of(columns.absent(row));
        }
    }

    @Override
    public ViewRows candidates(Reader reader, ViewScan scan) {
        return new Rows(
                new ViewedCells(table.through(reader, clock.millis()), ViewedCells.rows(scan), Selection.ALL), columns);
    }

    private static final class Rows implements ViewRows {
        private final ViewedCells cells;
        private final FamilyColumns columns;
        private List<Value> row = List.of();

        Rows(ViewedCells cells, FamilyColumns columns) {
            this.cells = cells;
            this.columns = columns;
        }

        @Override
        public boolean next() {
            boolean there = cells.nextRow();
            if (there) {
                row = columns.values(cells.row());
            }
            return there;
        }

        @Override
        public void add(int column, ColumnVector target) {
            target.add(row.get(column));
        }

        @Override
        public void close() {
            cells.close();
        }
    }
}
