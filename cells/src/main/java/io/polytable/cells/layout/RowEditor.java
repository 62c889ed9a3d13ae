package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;

/**
 * Adds the changes of one row to a write set. The caller holds the row's stripe from creation until the set is
 * committed.
 *
 * @param partition the row's {@link CellRows#partition}
 */
public record RowEditor(WriteSet set, Table table, Bytes partition) {
    /** Stores the cell, replacing the one at its position. */
    public void put(Cell cell) {
        Bytes key = CellKeys.key(
                partition,
                cell.family(),
                cell.qualifier(),
                cell.timestamp(),
                cell.kind().code());
        set.put(table, new RowKey(key, partition.length()), CellValues.head(cell.ttlMillis()), cell.value());
    }

    /** Removes the cell at the position, if any. */
    public void remove(CellPosition position) {
        Bytes key = CellKeys.key(
                partition, position.family(), position.qualifier(), position.timestamp(), position.kindCode());
        set.delete(table, new RowKey(key, partition.length()));
    }
}
