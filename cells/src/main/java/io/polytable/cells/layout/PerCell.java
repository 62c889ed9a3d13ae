package io.polytable.cells.layout;

import io.polytable.cells.BloomKind;
import io.polytable.cells.Cell;
import io.polytable.cells.CellException;
import io.polytable.cells.CellPosition;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.Compression;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.table.Bytes;
import io.polytable.table.Column;
import io.polytable.table.ColumnType;
import io.polytable.table.KeyColumn;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.WriteSet;
import java.util.List;
import java.util.Optional;

/** The cell layout: one stored row per cell. A put is one write without a read, and a row may have any width. */
final class PerCell implements Layout {
    static final PerCell LAYOUT = new PerCell();

    private static final List<Column> COLUMNS = List.of(
            new Column("row_key", ColumnType.BYTES),
            new Column("family", ColumnType.BYTES),
            new Column("qualifier", ColumnType.BYTES),
            new Column("timestamp", ColumnType.BIGINT),
            new Column("kind", ColumnType.INT),
            new Column("value", ColumnType.BYTES));

    private PerCell() {}

    @Override
    public TableSpec tableSpec(TableName physical, CellTableSpec spec) {
        return new TableSpec(
                physical,
                TableKind.FACE,
                COLUMNS,
                List.of(KeyColumn.ascending("row_key")),
                List.of(
                        KeyColumn.ascending("family"),
                        KeyColumn.ascending("qualifier"),
                        KeyColumn.descending("timestamp"),
                        KeyColumn.descending("kind")),
                options(spec));
    }

    /** One physical table holds all families, so an option that any family requests applies to all. */
    static TableOptions options(CellTableSpec spec) {
        List<FamilySpec> families = spec.families();
        return new TableOptions(
                Optional.empty(),
                families.stream().anyMatch(family -> family.compression() != Compression.NONE),
                families.stream().anyMatch(family -> family.bloom() != BloomKind.NONE),
                families.stream().anyMatch(FamilySpec::inMemory));
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
        return new CellCursor(reader.scan(table, KeyRange.partition(CellKeys.row(row))));
    }

    @Override
    public StoredCursor rows(Reader reader, Table table, RowRange range) {
        return new CellCursor(reader.scan(table, keys(range)));
    }

    @Override
    public ReverseRows reverse(Reader reader, Table table, RowRange range) {
        return new ReverseCells(this, reader, table, range);
    }

    @Override
    public RowEditor edit(WriteSet set, Table table, Bytes row, Bytes partition) {
        return new Editor(table, partition, set);
    }

    @Override
    public RowFinding verify(Table table, Bytes key, Bytes value) {
        try {
            Cell cell = CellCursor.decode(key, value);
            if (cell.kind().isOfFamily() && !cell.qualifier().isEmpty()) {
                return RowFinding.beyondRepair("A marker of a family has a qualifier");
            }
            return CellKeys.key(cell.position()).equals(key)
                    ? RowFinding.SOUND
                    : RowFinding.beyondRepair("A cell's key is not as it is written");
        } catch (CellException e) {
            return RowFinding.beyondRepair(String.valueOf(e.getMessage()));
        }
    }

    private record Editor(Table table, Bytes rowKey, WriteSet set) implements RowEditor {
        @Override
        public void put(Cell cell) {
            Bytes key = CellKeys.key(
                    rowKey,
                    cell.family(),
                    cell.qualifier(),
                    cell.timestamp(),
                    cell.kind().code());
            set.put(table, new RowKey(key, rowKey.length()), CellValues.head(cell.ttlMillis()), cell.value());
        }

        @Override
        public void remove(CellPosition position) {
            Bytes key = CellKeys.key(
                    rowKey, position.family(), position.qualifier(), position.timestamp(), position.kindCode());
            set.delete(table, new RowKey(key, rowKey.length()));
        }

        @Override
        public void finish() {}
    }
}
