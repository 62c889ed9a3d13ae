package io.polytable.cells.projection;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.FamilySpec;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesWriter;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes a row as column values: the row key, for each family the newest values by qualifier, and the timestamps of
 * all these. A family without a cell is absent.
 */
final class FamilyColumns {
    private final List<FamilySpec> families;

    FamilyColumns(List<FamilySpec> families) {
        this.families = families;
    }

    List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column(ShownNames.ROW_KEY, ColumnType.BYTES));
        families.forEach(family -> columns.add(new Column(ShownNames.column(family), ColumnType.BYTES)));
        columns.add(new Column(ShownNames.TIMESTAMPS, ColumnType.BYTES));
        return columns;
    }

    /** @param row with one version of each column, in order */
    List<Value> values(CellRow row) {
        List<Value> values = new ArrayList<>();
        values.add(new Value.OfBytes(row.row()));
        BytesWriter timestamps = new BytesWriter();
        for (FamilySpec family : families) {
            List<Cell> cells = row.cells().stream()
                    .filter(cell -> cell.family().equals(family.name()))
                    .toList();
            values.add(cells.isEmpty() ? new Value.Absent() : new Value.OfBytes(values(cells)));
            timestamps.i32(cells.size());
            cells.forEach(cell -> timestamps.i64(cell.timestamp()));
        }
        values.add(new Value.OfBytes(timestamps.toBytes()));
        return values;
    }

    /** A row with only its key. */
    List<Value> absent(Bytes row) {
        List<Value> values = new ArrayList<>();
        values.add(new Value.OfBytes(row));
        families.forEach(family -> values.add(new Value.Absent()));
        values.add(new Value.Absent());
        return values;
    }

    private static Bytes values(List<Cell> cells) {
        BytesWriter out = new BytesWriter();
        out.i32(cells.size());
        for (Cell cell : cells) {
            out.i32(cell.qualifier().length()).raw(cell.qualifier());
            out.i32(cell.value().length()).raw(cell.value());
        }
        return out.toBytes();
    }
}
