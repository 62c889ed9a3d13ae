package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellPosition;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.table.Bytes;
import io.polytable.table.Column;
import io.polytable.table.ColumnType;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyColumn;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The family layout: one stored row per row key, with a BYTES column per family for the newest live values and a
 * history column for all cells. Every write reads and rewrites the whole row.
 */
final class PerFamily implements Layout {
    static final PerFamily LAYOUT = new PerFamily();

    static final String HISTORY = "_history";
    private static final String ROW_KEY = "row_key";

    private PerFamily() {}

    @Override
    public TableSpec tableSpec(TableName physical, CellTableSpec spec) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column(ROW_KEY, ColumnType.BYTES));
        columns.add(new Column(HISTORY, ColumnType.BYTES));
        spec.families().forEach(family -> columns.add(column(family)));
        return new TableSpec(
                physical,
                TableKind.FACE,
                columns,
                List.of(KeyColumn.ascending(ROW_KEY)),
                List.of(),
                PerCell.options(spec));
    }

    /** The column of a family. In this layout a family's name must be UTF-8 and not one of the other columns' names. */
    static Column column(FamilySpec family) {
        String name = family.name().utf8();
        boolean clashes = name.equals(ROW_KEY) || name.equals(HISTORY);
        if (clashes || !Bytes.utf8(name).equals(family.name())) {
            throw new CellException(
                    CellError.BAD_SPEC, "A family cannot be shown as a column", Map.of("family", family.name()));
        }
        return new Column(name, ColumnType.BYTES);
    }

    @Override
    public List<Column> missingColumns(Table table, CellTableSpec spec) {
        return spec.families().stream()
                .map(PerFamily::column)
                .filter(column -> table.spec().indexOf(column.name()) < 0)
                .toList();
    }

    @Override
    public KeyRange keys(RowRange range) {
        return CellKeys.rows(range);
    }

    @Override
    public Bytes partition(Bytes row) {
        return CellKeys.row(row);
    }

    @Override
    public StoredCursor row(Reader reader, Table table, Bytes row) {
        return new ListCursor(read(reader, table, row, partition(row)));
    }

    private static List<Cell> read(Reader reader, Table table, Bytes row, Bytes partition) {
        return reader.read(table, RowKey.whole(partition))
                .map(stored -> new FamilyRows(table).decode(row, stored))
                .orElse(List.of());
    }

    @Override
    public StoredCursor rows(Reader reader, Table table, RowRange range) {
        return new FamilyCursor(reader.scan(table, keys(range)), new FamilyRows(table));
    }

    @Override
    public ReverseRows reverse(Reader reader, Table table, RowRange range) {
        Cursor cursor = reader.scan(table, keys(range), Direction.REVERSE, Long.MAX_VALUE);
        return new ReverseFamilies(cursor, new FamilyRows(table));
    }

    @Override
    public RowEditor edit(WriteSet set, Table table, Bytes row, Bytes partition) {
        TreeMap<CellPosition, Cell> cells = new TreeMap<>();
        read(set, table, row, partition).forEach(cell -> cells.put(cell.position(), cell));
        return new Editor(table, RowKey.whole(partition), set, cells);
    }

    @Override
    public RowFinding verify(Table table, Bytes key, Bytes value) {
        try {
            int end = CellKeys.end(key, 0);
            if (end != key.length()) {
                return RowFinding.beyondRepair("A row's key is damaged");
            }
            FamilyRows rows = new FamilyRows(table);
            Bytes again = rows.encode(rows.decode(CellKeys.component(key, 0, end), value));
            return again.equals(value)
                    ? RowFinding.SOUND
                    : new RowFinding(Optional.of("A row's families are not what its history says"), Optional.of(again));
        } catch (CellException e) {
            return RowFinding.beyondRepair(String.valueOf(e.getMessage()));
        }
    }

    private record Editor(Table table, RowKey key, WriteSet set, TreeMap<CellPosition, Cell> cells)
            implements RowEditor {
        @Override
        public void put(Cell cell) {
            cells.put(cell.position(), cell);
        }

        @Override
        public void remove(CellPosition position) {
            cells.remove(position);
        }

        @Override
        public void finish() {
            if (cells.isEmpty()) {
                set.delete(table, key);
            } else {
                set.put(table, key, new FamilyRows(table).encode(cells.values()));
            }
        }
    }
}
