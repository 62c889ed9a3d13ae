package io.polytable.table.deadline;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Deadline;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;

/** Finds rows whose deadline is missing in the index: they would be hidden in time, but never removed. */
public final class DeadlineCheck {
    private static final long BATCH_BYTES = 1 << 20;

    private final StoredRows rows;
    private final Table index;

    public DeadlineCheck(StoredRows rows, Table index) {
        this.rows = rows;
        this.index = index;
    }

    /** Counts the rows of the table without an index entry; on request it adds the entries. */
    public long run(Table table, boolean write) {
        long missing = 0;
        Batch batch = new Batch();
        try (Cursor cursor = rows.scanStored(table, KeyRange.ALL, Long.MAX_VALUE)) {
            while (cursor.next()) {
                long deadline = Deadline.of(cursor.valueSlice());
                RowKey entry = DeadlineIndex.entry(deadline, table.id(), cursor.key());
                if (deadline == Deadline.NEVER
                        || rows.readStored(index, entry).isPresent()
                        || !isStill(table, cursor.key(), deadline)) {
                    continue;
                }
                missing++;
                if (!write) {
                    continue;
                }
                // The row's partition is not known here. It only speeds up scans, and by then the row is hidden from
                // them.
                batch.put(index, entry, DeadlineIndex.value(RowKey.whole(cursor.key())));
                if (batch.sizeBytes() > BATCH_BYTES) {
                    commit(batch);
                }
            }
        }
        if (!batch.isEmpty()) {
            commit(batch);
        }
        return missing;
    }

    /** Whether the row is still as the scan showed it: rows and their entries change while the check runs. */
    private boolean isStill(Table table, Bytes key, long deadline) {
        return rows.readStored(table, RowKey.whole(key))
                .filter(stored -> Deadline.of(stored) == deadline)
                .isPresent();
    }

    private void commit(Batch batch) {
        Commit commit = rows.commitStored(batch);
        commit.awaitDurable();
        batch.clear();
    }
}
