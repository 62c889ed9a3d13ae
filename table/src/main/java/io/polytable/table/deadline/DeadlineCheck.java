package io.polytable.table.deadline;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Deadline;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;

/** Finds rows with a deadline that the index of deadlines lacks: they would be hidden in time, and never removed. */
public final class DeadlineCheck {
    private static final long BATCH_BYTES = 1 << 20;

    private final StoredRows rows;
    private final Table index;

    public DeadlineCheck(StoredRows rows, Table index) {
        this.rows = rows;
        this.index = index;
    }

    /** How many rows of the table have no entry; writes those if asked to. */
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
                // The row's partition is not known here. It only speeds up scans, in which the row is hidden by then.
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

    /** Whether the row is as the scan showed it: rows are written and removed, with their entries, while the check runs. */
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
