package io.polytable.cells.store.write;

import io.polytable.cells.CellPosition;
import io.polytable.cells.RowRange;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.layout.RowEditor;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Snapshot;
import io.polytable.table.Stripes;
import io.polytable.table.TableStore;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes all stored cells of a range of rows, markers included. A row is removed under its stripe, in pieces if it is
 * wide, so that writers of other rows wait only briefly. Cells that are written meanwhile may stay.
 */
final class RangeRemoval {
    private static final int CELLS_MAX = 1_000;

    private final TableStore store;
    private final LiveTable table;
    private final RowWriter writer;

    RangeRemoval(TableStore store, LiveTable table, RowWriter writer) {
        this.store = store;
        this.table = table;
        this.writer = writer;
    }

    /** Returns the last commit. */
    Commit remove(RowRange range) {
        Commit last = store.latest();
        List<CellPosition> cells = new ArrayList<>();
        try (Snapshot snapshot = store.snapshot();
                StoredCursor cursor = CellRows.rows(snapshot, table.physical(), range)) {
            boolean there = cursor.next();
            while (there) {
                Bytes row = cursor.row();
                cells.clear();
                do {
                    cells.add(cursor.cell().position());
                    there = cursor.next();
                } while (there && cells.size() < CELLS_MAX && cursor.row().equals(row));
                last = remove(row, cells);
            }
        }
        return last;
    }

    private Commit remove(Bytes row, List<CellPosition> cells) {
        Bytes partition = CellRows.partition(row);
        Stripes stripes = store.stripes();
        int stripe = stripes.stripeOf(partition);
        stripes.lock(stripe);
        try {
            writer.evict(table, row);
            WriteSet set = new WriteSet(store);
            RowEditor editor = new RowEditor(set, table.physical(), partition);
            cells.forEach(editor::remove);
            return set.commit();
        } finally {
            stripes.unlock(stripe);
        }
    }
}
