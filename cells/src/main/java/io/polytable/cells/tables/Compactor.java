package io.polytable.cells.tables;

import io.polytable.cells.RowRange;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.read.Retention;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.TableStore;

/**
 * Removes stored cells that no read can show. A snapshot shows which rows have garbage, a bounded number of cells at a
 * time; {@link RowCompaction} then takes it out under the row's stripe.
 */
final class Compactor {
    private static final RowRange NOTHING = new RowRange(Bytes.of(new byte[1]), Bytes.of(new byte[1]));

    private final TableStore store;
    private final CellStoreOptions options;

    Compactor(TableStore store, CellStoreOptions options) {
        this.store = store;
        this.options = options;
    }

    TableStore store() {
        return store;
    }

    /** What one pass over a part of a table did. */
    record Pass(long examined, long removed, RowRange rest) {
        boolean isDone() {
            return rest.isEmpty();
        }
    }

    /** The whole table. */
    void compact(LiveTable table, boolean markers) {
        RowRange rest = RowRange.ALL;
        do {
            rest = pass(table, rest, markers, options.compactionCells()).rest();
        } while (!rest.isEmpty());
    }

    /** Looks at about so many cells from the start of the range on, whole rows. */
    Pass pass(LiveTable table, RowRange range, boolean markers, long cells) {
        Retention retention = new Retention(table.spec(), options.clock().millis(), markers);
        long examined = 0;
        long removed = 0;
        try (Snapshot snapshot = store.snapshot();
                StoredCursor cursor = table.layout().rows(snapshot, table.physical(), range)) {
            boolean onCell = cursor.next();
            while (onCell) {
                Bytes row = cursor.row();
                RowCompaction compaction = new RowCompaction(store, table, row, options.clock(), markers);
                long width = retention.row(cursor, compaction::add);
                examined += width;
                removed += compaction.finish(width);
                onCell = cursor.isOnCell();
                if (onCell && examined >= cells) {
                    return new Pass(examined, removed, new RowRange(RowRange.after(row), range.to()));
                }
            }
        }
        return new Pass(examined, removed, NOTHING);
    }
}
