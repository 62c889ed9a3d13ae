package io.polytable.cells.layout;

import io.polytable.cells.CellLayout;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.RowRange;
import io.polytable.table.Bytes;
import io.polytable.table.Column;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.WriteSet;
import java.util.List;

/** A mapping of cells to rows of a physical table. */
public interface Layout {
    static Layout of(CellLayout layout) {
        return switch (layout) {
            case CELL -> PerCell.LAYOUT;
            case FAMILY -> PerFamily.LAYOUT;
        };
    }

    /** The definition of the physical table. */
    TableSpec tableSpec(TableName physical, CellTableSpec spec);

    /** The columns that the spec needs and the physical table lacks. */
    default List<Column> missingColumns(Table table, CellTableSpec spec) {
        return List.of();
    }

    /** The keys of all rows of the range. */
    KeyRange keys(RowRange range);

    /** The row's partition, by which its stripe is chosen. */
    Bytes partition(Bytes row);

    /** A cursor before the first cell of a row. Cheap, even right after writes. */
    StoredCursor row(Reader reader, Table table, Bytes row);

    /** A cursor before the first cell of a range of rows; the reader is a snapshot. */
    StoredCursor rows(Reader reader, Table table, RowRange range);

    ReverseRows reverse(Reader reader, Table table, RowRange range);

    /**
     * Edits a row within a write set, through which it also reads if the layout needs to.
     *
     * @param partition the row's {@link #partition}
     */
    RowEditor edit(WriteSet set, Table table, Bytes row, Bytes partition);

    /** Whether a stored row is one that this layout writes. */
    RowFinding verify(Table table, Bytes key, Bytes value);
}
