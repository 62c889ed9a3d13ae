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

/** One way to keep cells in rows. */
public interface Layout {
    static Layout of(CellLayout layout) {
        return switch (layout) {
            case CELL -> PerCell.LAYOUT;
            case FAMILY -> PerFamily.LAYOUT;
        };
    }

    /** The table that holds the cells. */
    TableSpec tableSpec(TableName physical, CellTableSpec spec);

    /** The columns that the table needs for the spec and does not have yet. */
    default List<Column> missingColumns(Table table, CellTableSpec spec) {
        return List.of();
    }

    /** The keys of all rows of the range. */
    KeyRange keys(RowRange range);

    /** What the row's stripe is taken by. */
    Bytes partition(Bytes row);

    /** The cells of one row, before the first. Cheap also right after writes. */
    StoredCursor row(Reader reader, Table table, Bytes row);

    /** The cells of many rows, before the first; the reader is a snapshot. */
    StoredCursor rows(Reader reader, Table table, RowRange range);

    ReverseRows reverse(Reader reader, Table table, RowRange range);

    /**
     * Reads, where the layout must, through the set, and writes to it.
     *
     * @param partition of the row
     */
    RowEditor edit(WriteSet set, Table table, Bytes row, Bytes partition);

    /** Whether a stored row is one that this layout writes. */
    RowFinding verify(Table table, Bytes key, Bytes value);
}
