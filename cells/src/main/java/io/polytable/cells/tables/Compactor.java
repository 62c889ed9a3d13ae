package io.polytable.cells.tables;

import io.polytable.cells.CellPosition;
import io.polytable.cells.RowRange;
import io.polytable.cells.layout.RowEditor;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.read.Retention;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.Stripes;
import io.polytable.table.TableStore;
import io.polytable.table.WriteSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes stored cells that no read can show. It looks at a range in a snapshot, a bounded number of cells at a time, and
 * takes garbage out row by row under the row's stripe, a bounded number of cells a commit, so that writers wait for
 * one small commit at most.
 */
final class Compactor {
    private static final int REMOVED_PER_COMMIT = 500;
    private static final RowRange NOTHING = new RowRange(Bytes.of(new byte[1]), Bytes.of(new byte[1]));

    private final TableStore store;
    private final CellStoreOptions options;
    private final Stripes stripes;

    Compactor(TableStore store, CellStoreOptions options) {
        this.store = store;
        this.options = options;
        stripes = store.stripes();
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
            rest = pass(table, rest, markers, Long.MAX_VALUE).rest();
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
                Removal removal = new Removal(table, row);
                examined += retention.row(cursor, removal::add);
                removed += removal.finish();
                onCell = cursor.isOnCell();
                if (onCell && examined >= cells) {
                    return new Pass(examined, removed, new RowRange(RowRange.after(row), range.to()));
                }
            }
        }
        return new Pass(examined, removed, NOTHING);
    }

    /** The garbage of one row, removed in the order it was found. */
    private final class Removal {
        private final LiveTable table;
        private final Bytes row;
        private final List<CellPosition> found = new ArrayList<>();
        private long removed;

        Removal(LiveTable table, Bytes row) {
            this.table = table;
            this.row = row;
        }

        void add(CellPosition position) {
            found.add(position);
            if (found.size() == REMOVED_PER_COMMIT) {
                commit();
            }
        }

        long finish() {
            if (!found.isEmpty()) {
                commit();
            }
            return removed;
        }

        private void commit() {
            WriteSet set = new WriteSet(store);
            int stripe = stripes.stripeOf(table.layout().partition(row));
            stripes.lock(stripe);
            try {
                RowEditor editor = table.layout().edit(set, table.physical(), row);
                found.forEach(editor::remove);
                editor.finish();
                set.commit();
            } finally {
                stripes.unlock(stripe);
            }
            removed += found.size();
            found.clear();
        }
    }
}
