package io.polytable.cells.store;

import io.polytable.cells.RowRange;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.read.Retention;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.TableStore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Removes stored cells that no read can return. It finds the garbage in a snapshot, a bounded number of cells at a
 * time; {@link RowCompaction} then removes it under the row's stripe.
 *
 * <p>Passes run one at a time, and definitions change only between them ({@link #betweenPasses}), so what a pass found
 * to be garbage stays garbage until it is removed. Otherwise another pass could remove the marker that masks a cell,
 * or an alteration could raise the number of versions, and this pass would delete a cell written since.
 */
final class Compactor {
    private static final RowRange NOTHING = new RowRange(Bytes.of(new byte[1]), Bytes.of(new byte[1]));

    private final TableStore store;
    private final CellStoreOptions options;
    private final ReentrantLock passes = new ReentrantLock(true);

    Compactor(TableStore store, CellStoreOptions options) {
        this.store = store;
        this.options = options;
    }

    TableStore store() {
        return store;
    }

    /** The result of one pass over a part of a table. */
    record Pass(long examined, long removed, RowRange rest) {
        boolean isDone() {
            return rest.isEmpty();
        }
    }

    /** Runs the action while no pass is running. */
    <T> T betweenPasses(Supplier<T> action) {
        passes.lock();
        try {
            return action.get();
        } finally {
            passes.unlock();
        }
    }

    /** Compacts the whole table, as defined at the start of each pass. */
    void compact(Supplier<LiveTable> table, boolean markers) {
        RowRange rest = RowRange.ALL;
        do {
            rest = pass(table, rest, markers, options.compactionCells()).rest();
        } while (!rest.isEmpty());
    }

    /** Examines about {@code cells} cells from the start of the range, in whole rows. */
    Pass pass(Supplier<LiveTable> table, RowRange range, boolean markers, long cells) {
        return betweenPasses(() -> pass(table.get(), range, markers, cells));
    }

    private Pass pass(LiveTable table, RowRange range, boolean markers, long cells) {
        Retention retention = new Retention(table.spec(), options.clock().millis(), markers);
        long examined = 0;
        long removed = 0;
        try (Snapshot snapshot = store.snapshot();
                StoredCursor cursor = CellRows.rows(snapshot, table.physical(), range)) {
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
