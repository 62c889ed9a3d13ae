package io.polytable.sql.model.table;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the index entries of existing rows. Their keys, and the rows that are flushed, come from a snapshot, opened after
 * writers began to maintain the index: rows written since then have their entries from their writers.
 */
public final class IndexBuilder implements AutoCloseable {
    private static final long BATCH_BYTES = 1 << 20;
    private static final int ROWS_AT_ONCE = 10_000;

    /** Approximate duration of a step, for which commits wait. */
    private static final long STEP_NANOS = 20_000_000;

    private final TableStore store;
    private final SqlIndex index;
    private final Runnable check;
    private final ColdLookups flushed;
    private final Batch batch = new Batch();

    /** Entries of the uncommitted batch. */
    private final Set<Bytes> pending = new HashSet<>();

    /** Rows that were read and have no entries yet. */
    private final Deque<Read> waiting = new ArrayDeque<>();

    private Bytes next = Bytes.EMPTY;
    private @Nullable Scan scan;
    private boolean ended;

    /**
     * A row as the snapshot has it.
     *
     * @param segments the version of the segments where the row could be, for a table with flushed rows
     */
    private record Read(StoredRow row, boolean isHot, Optional<Object> segments) {}

    private record Scan(Snapshot snapshot, StoredRows rows) implements AutoCloseable {
        @Override
        public void close() {
            rows.close();
            snapshot.close();
        }
    }

    /** @param check called for every row; it throws to stop the work */
    public IndexBuilder(TableStore store, SqlIndex index, Runnable check) {
        this.store = store;
        this.index = index;
        this.check = check;
        flushed = new ColdLookups(store);
    }

    /**
     * Reads the rows of the next step, in key order. It may wait for a storage, so the caller holds no locks.
     *
     * @param table as currently defined
     */
    public void read(SqlTable table) {
        flushed.fetch();
        if (!waiting.isEmpty() || ended) {
            return;
        }
        Scan open = scan == null ? open(table) : scan;
        scan = open;
        long bytes = 0;
        while (bytes < BATCH_BYTES && waiting.size() < ROWS_AT_ONCE && !ended) {
            check.run();
            ended = !open.rows().next();
            if (!ended && !open.rows().row().isDeleted()) {
                Read row = read(table, open.snapshot(), open.rows().row());
                bytes += table.format()
                        .value(row.row().values(), row.row().updated(), false)
                        .length();
                waiting.add(row);
            }
        }
    }

    private Scan open(SqlTable table) {
        Snapshot snapshot = store.snapshot();
        try {
            return new Scan(snapshot, table.everyRow(snapshot, KeyRange.between(next, Bytes.EMPTY)));
        } catch (RuntimeException | Error failure) {
            snapshot.close();
            throw failure;
        }
    }

    private static Read read(SqlTable table, Snapshot snapshot, StoredRow row) {
        if (!table.cold().isUsed()) {
            return new Read(row, true, Optional.empty());
        }
        boolean hot = snapshot.read(table.table(), row.key()).isPresent();
        return new Read(
                row,
                hot,
                Optional.of(table.cold().version(snapshot, table, row.key().bytes())));
    }

    /**
     * Adds the entries of rows that were read. No commit runs during a step, so no row changes or is flushed meanwhile.
     * Between steps writers maintain the index themselves.
     *
     * @param table as currently defined
     */
    public Step step(SqlTable table) {
        long begun = System.nanoTime();
        boolean goesOn = true;
        while (goesOn && !waiting.isEmpty() && System.nanoTime() - begun < STEP_NANOS) {
            goesOn = add(table, waiting.element());
        }
        return new Step(commit(), !waiting.isEmpty() || !ended);
    }

    /**
     * The result of a step.
     *
     * @param commit whose durability the caller awaits once others may commit again
     * @param more whether there may be more rows
     */
    public record Step(Commit commit, boolean more) {}

    /** Adds the entry of the next row; returns false if rows must be read before it can be decided. */
    private boolean add(SqlTable table, Read read) {
        Bytes key = read.row().key().bytes();
        Optional<Bytes> hot = store.read(table.table(), read.row().key());
        if (hot.isEmpty() && hasMoved(table, read)) {
            readAgain(key);
            return false;
        }
        Optional<StoredRow> row =
                hot.isPresent() || read.isHot() ? hot.map(value -> table.decoded(key, value)) : Optional.of(read.row());
        if (row.filter(present -> !present.isDeleted()).isPresent() && !addEntry(table, row.get())) {
            return false;
        }
        waiting.remove();
        return true;
    }

    /** Whether a row that is not in the store may be in other segments than the snapshot shows. */
    private boolean hasMoved(SqlTable table, Read read) {
        return table.cold().isUsed()
                && read.segments()
                        .filter(table.cold()
                                .version(store, table, read.row().key().bytes())::equals)
                        .isEmpty();
    }

    /** A flush has moved rows since the snapshot: the scan continues at the key with a newer one. */
    private void readAgain(Bytes key) {
        close();
        waiting.clear();
        next = key;
        ended = false;
    }

    private Commit commit() {
        Commit commit = batch.isEmpty() ? store.latest() : store.commit(batch);
        batch.clear();
        pending.clear();
        return commit;
    }

    /** Returns false if it is not known whether the entry that is there belongs to a live row. */
    private boolean addEntry(SqlTable table, StoredRow row) {
        RowKey entry = index.key(table.userOf(row.key().bytes()), row.values(), row.key());
        if (index.isUniqueFor(row.values())) {
            Optional<RowKey> other = store.read(index.table(), entry)
                    .map(index::target)
                    .filter(target -> !target.bytes().equals(row.key().bytes()));
            if (other.isPresent() && !isKnown(table, other.get())) {
                return false;
            }
            if (!pending.add(entry.bytes())
                    || other.filter(target -> isLive(table, target)).isPresent()) {
                throw duplicated(row);
            }
        }
        batch.put(index.table(), entry, index.pointer(row.key()));
        return true;
    }

    private SqlError duplicated(StoredRow row) {
        return new SqlError(
                SqlCode.UNIQUE_VIOLATION,
                "could not create unique index \"" + index.def().name() + "\": Key " + index.described(row.values())
                        + " is duplicated");
    }

    /** Whether {@link #isLive} needs no file. */
    private boolean isKnown(SqlTable table, RowKey key) {
        return !table.cold().isUsed()
                || store.read(table.table(), key).isPresent()
                || flushed.knows(table, key.bytes());
    }

    /** Whether there is such a row; an entry of an evicted event points to none. */
    private boolean isLive(SqlTable table, RowKey key) {
        Optional<StoredRow> hot = store.read(table.table(), key).map(value -> table.decoded(key.bytes(), value));
        Optional<StoredRow> row = hot.isPresent() || !table.cold().isUsed() ? hot : flushed.row(table, key.bytes());
        return row.filter(present -> !present.isDeleted()).isPresent();
    }

    @Override
    public void close() {
        if (scan != null) {
            scan.close();
            scan = null;
        }
    }
}
