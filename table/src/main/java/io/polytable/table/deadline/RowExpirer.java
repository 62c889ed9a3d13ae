package io.polytable.table.deadline;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Deadline;
import io.polytable.table.KeyRange;
import io.polytable.table.Origin;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Commits rows with deadlines, and removes expired ones. An expired row is invisible, so its removal changes nothing
 * for readers and needs no stripe. It must not delete a row that was rewritten in between: commits with deadlines share
 * a lock, and a removal holds it exclusively from its last check of the rows to its commit.
 */
public final class RowExpirer {
    /** Rows removed per commit: writers of rows with deadlines wait meanwhile. */
    private static final int ROWS_PER_COMMIT = 64;

    /** The minimum interval between two range deletes of rows that expire by key. */
    private static final long CUT_MILLIS_MIN = 1000;

    private static final int CUTS_PER_TTL = 64;

    private final StoredRows rows;
    private final InstantSource clock;
    private final ReadWriteLock writing = new ReentrantReadWriteLock();
    private final Map<Integer, Long> cuts = new HashMap<>();
    private Optional<DeadlineQueue> queue = Optional.empty();
    private volatile Optional<DeadlineIndex> index = Optional.empty();

    /** An index entry and its row, as of the first check. */
    private record Due(DeadlineQueue.Entry entry, Optional<Table> table, RowKey row, long deadline) {}

    public RowExpirer(StoredRows rows, InstantSource clock) {
        this.rows = rows;
        this.clock = clock;
    }

    /** Enables the index of deadlines. */
    public synchronized void indexIn(DeadlineIndex deadlines, DeadlineQueue walk) {
        index = Optional.of(deadlines);
        queue = Optional.of(walk);
    }

    /** Commits a batch that {@link Batch#hasDeadlines()}. */
    public Commit commit(Batch batch) {
        DeadlineIndex deadlines = index.orElseThrow(() -> new IllegalStateException("no table has deadlines"));
        writing.readLock().lock();
        try {
            return rows.commitStored(deadlines.indexed(batch, clock.millis()));
        } finally {
            writing.readLock().unlock();
        }
    }

    /**
     * Removes up to about so many rows, oldest deadlines first; returns the number of entries and ranges it processed.
     */
    public synchronized int removeExpired(int most) {
        long nowMillis = clock.millis();
        int done = 0;
        for (Table table : rows.expiringByKey()) {
            done += done < most && rows.hasRoom() ? cut(table, nowMillis) : 0;
        }
        return done < most ? done + removeByRow(nowMillis, most - done) : done;
    }

    private int removeByRow(long nowMillis, int most) {
        if (queue.isEmpty() || index.isEmpty() || !rows.hasRoom()) {
            return 0;
        }
        DeadlineQueue walk = queue.get();
        DeadlineIndex deadlines = index.get();
        // The first check, without the lock, also brings rows from disk into memory.
        List<Due> due = new ArrayList<>();
        for (DeadlineQueue.Entry entry : walk.due(nowMillis + 1, most)) {
            Optional<Table> table = deadlines.table(entry);
            RowKey row = DeadlineIndex.row(entry);
            long deadline = table.flatMap(owner -> rows.readStored(owner, row))
                    .map(Deadline::of)
                    .orElse(Deadline.NEVER);
            due.add(new Due(entry, table, row, deadline));
        }
        // Entries are rounded, rows are not.
        due.sort(Comparator.comparingLong(one -> Deadline.millis(one.deadline())));
        for (int from = 0; from < due.size(); from += ROWS_PER_COMMIT) {
            remove(deadlines.table(), due.subList(from, Math.min(due.size(), from + ROWS_PER_COMMIT)), nowMillis);
        }
        walk.removed();
        return due.size();
    }

    private void remove(Table entries, List<Due> due, long nowMillis) {
        writing.writeLock().lock();
        try {
            Batch batch = new Batch(Origin.UPKEEP);
            for (Due one : due) {
                one.table().ifPresent(table -> removeRow(table, one, nowMillis, batch));
                batch.delete(entries, one.entry().rowKey());
            }
            Commit unusedLast = rows.commitStored(batch);
        } finally {
            writing.writeLock().unlock();
        }
    }

    private void removeRow(Table table, Due due, long nowMillis, Batch batch) {
        Optional<Bytes> stored = rows.readStored(table, due.row());
        if (stored.isEmpty()) {
            return;
        }
        long deadline = Deadline.of(stored.get());
        // Otherwise the row was written again, and has another entry.
        if (Deadline.isOver(deadline, nowMillis)
                && Deadline.indexedMillis(deadline) == due.entry().deadlineMillis()) {
            batch.delete(table, due.row());
        }
    }

    /** Removes the expired rows of a table that expires by key: one range, however many rows. */
    private int cut(Table table, long nowMillis) {
        long step = Math.max(CUT_MILLIS_MIN, table.expiry().ttlMillis() / CUTS_PER_TTL);
        Long last = cuts.get(table.id());
        if (last != null && Math.abs(nowMillis - last) < step) {
            return 0;
        }
        KeyRange over = table.expiry().over(nowMillis);
        cuts.put(table.id(), nowMillis);
        try (Cursor first = rows.scanStored(table, over, 1)) {
            if (!first.next()) {
                return 0;
            }
        }
        Commit unusedLast = rows.commitStored(new Batch(Origin.UPKEEP).deleteRange(table, over));
        return 1;
    }
}
