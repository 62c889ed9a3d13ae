package io.polytable.cells.layout;

import io.polytable.cells.BloomKind;
import io.polytable.cells.Cell;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.Compression;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import java.util.List;
import java.util.Optional;

/**
 * The mapping of cells to rows of a physical table: one stored row per cell. A put is one write without a read, and a
 * row may have any width.
 */
public final class CellRows {
    private static final List<Column> COLUMNS = List.of(
            new Column("row_key", ColumnType.BYTES),
            new Column("family", ColumnType.BYTES),
            new Column("qualifier", ColumnType.BYTES),
            new Column("timestamp", ColumnType.BIGINT),
            new Column("kind", ColumnType.INT),
            new Column("value", ColumnType.BYTES));

    private CellRows() {}

    /** The definition of the physical table. */
    public static TableSpec tableSpec(TableName physical, CellTableSpec spec) {
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
    private static TableOptions options(CellTableSpec spec) {
        List<FamilySpec> families = spec.families();
        return new TableOptions(
                Optional.empty(),
                families.stream().anyMatch(family -> family.compression() != Compression.NONE),
                families.stream().anyMatch(family -> family.bloom() != BloomKind.NONE),
                families.stream().anyMatch(FamilySpec::inMemory));
    }

    /** The keys of all rows of the range. */
    public static KeyRange keys(RowRange range) {
        return CellKeys.rows(range);
    }

    /** The row's partition, by which its stripe is chosen. */
    public static Bytes partition(Bytes row) {
        return CellKeys.row(row);
    }

    /** A cursor before the first cell of a row. Cheap, even right after writes. */
    public static StoredCursor row(Reader reader, Table table, Bytes row) {
        return new CellCursor(reader.scan(table, KeyRange.partition(CellKeys.row(row))));
    }

    /** A cursor before the first cell of a range of rows; the reader is a snapshot. */
    public static StoredCursor rows(Reader reader, Table table, RowRange range) {
        return new CellCursor(reader.scan(table, keys(range)));
    }

    public static ReverseRows reverse(Reader reader, Table table, RowRange range) {
        return new ReverseRows(reader, table, range);
    }

    /** What is wrong with a stored row, if anything. */
    public static Optional<String> problem(Bytes key, Bytes value) {
        try {
            Cell cell = CellCursor.decode(key, value);
            if (cell.kind().isOfFamily() && !cell.qualifier().isEmpty()) {
                return Optional.of("A marker of a family has a qualifier");
            }
            return CellKeys.key(cell.position()).equals(key)
                    ? Optional.empty()
                    : Optional.of("A cell's key is not as it is written");
        } catch (CellException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
