package io.polytable.sql.model.table;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.TableStore;
import java.util.HashSet;
import java.util.Set;

/** Writes the index entries of existing rows. */
public final class IndexBuilder {
    private static final long BATCH_BYTES = 1 << 20;

    /** Approximate duration of a step, for which commits wait. */
    private static final long STEP_NANOS = 20_000_000;

    private final TableStore store;
    private final SqlIndex index;
    private final Runnable check;
    private final Batch batch = new Batch();

    /** Entries of the uncommitted batch. */
    private final Set<Bytes> pending = new HashSet<>();

    private Bytes next = Bytes.EMPTY;

    /** @param check called for every row; it throws to stop the work */
    public IndexBuilder(TableStore store, SqlIndex index, Runnable check) {
        this.store = store;
        this.index = index;
        this.check = check;
    }

    /**
     * Adds the entries of the next rows, in key order. No commit runs during a step, so no row changes or is flushed
     * while it is read. Between steps writers maintain the index themselves.
     *
     * @param table as currently defined
     */
    public Step step(SqlTable table) {
        boolean more = collect(table);
        return new Step(commit(), more);
    }

    /**
     * The result of a step.
     *
     * @param commit whose durability the caller awaits once others may commit again
     * @param more whether there may be more rows
     */
    public record Step(Commit commit, boolean more) {}

    private boolean collect(SqlTable table) {
        long begun = System.nanoTime();
        long ends = Long.MAX_VALUE;
        try (StoredRows rows = table.everyRow(store, KeyRange.between(next, Bytes.EMPTY))) {
            while (rows.next()) {
                StoredRow row = rows.row();
                add(table, row);
                next = row.key().bytes().concat(Bytes.of(new byte[1]));
                long now = System.nanoTime();
                // The step lasts from its first row on at least as long as it took to reach it: reading segments from
                // their beginning may take longer than a step, and steps of one row would read them over and over.
                ends = ends == Long.MAX_VALUE ? now + Math.max(STEP_NANOS, now - begun) : ends;
                if (batch.sizeBytes() > BATCH_BYTES || now - ends > 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private Commit commit() {
        Commit commit = batch.isEmpty() ? store.latest() : store.commit(batch);
        batch.clear();
        pending.clear();
        return commit;
    }

    private void add(SqlTable table, StoredRow row) {
        check.run();
        if (row.isDeleted()) {
            return;
        }
        RowKey entry = index.key(table.userOf(row.key().bytes()), row.values(), row.key());
        boolean taken =
                index.isUniqueFor(row.values()) && (!pending.add(entry.bytes()) || isOfAnother(table, row, entry));
        if (taken) {
            throw new SqlError(
                    SqlCode.UNIQUE_VIOLATION,
                    "could not create unique index \"" + index.def().name() + "\": Key " + index.described(row.values())
                            + " is duplicated");
        }
        batch.put(index.table(), entry, index.pointer(row.key()));
    }

    /** Whether the entry points to another live row; an entry of an evicted event points to none. */
    private boolean isOfAnother(SqlTable table, StoredRow row, RowKey entry) {
        return store.read(index.table(), entry)
                .map(index::target)
                .filter(target -> !target.bytes().equals(row.key().bytes()))
                .flatMap(target -> table.get(store, target))
                .filter(other -> !other.isDeleted())
                .isPresent();
    }
}
