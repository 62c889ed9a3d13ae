package io.polytable.sql.model;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.WriteSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: reads see one moment and the own writes; a commit succeeds when no row that it read in order to write
 * was changed by others since, and fails whole otherwise. A single statement by key reads the store as it is instead of
 * a snapshot, which is the same thing for one row and costs nothing to open.
 */
public final class Transaction implements Reader, AutoCloseable {
    private final TableStore store;
    private final @Nullable Snapshot snapshot;
    private final WriteSet writes;

    /** What was there when it was read to be written; the commit finds it so still, or fails. */
    private final Map<Place, Seen> seen = new HashMap<>();

    private record Place(int table, Bytes key) {}

    private record Seen(Table table, RowKey key, Optional<Bytes> value) {}

    private Transaction(TableStore store, @Nullable Snapshot snapshot) {
        this.store = store;
        this.snapshot = snapshot;
        writes = snapshot == null ? new WriteSet(store) : new WriteSet(store, snapshot);
    }

    /** All reads see the store as it is now. */
    public static Transaction overSnapshot(TableStore store) {
        return new Transaction(store, store.snapshot());
    }

    /** For statements that read rows by key only. */
    public static Transaction overStore(TableStore store) {
        return new Transaction(store, null);
    }

    public boolean hasWrites() {
        return !writes.isEmpty();
    }

    public boolean isOverSnapshot() {
        return snapshot != null;
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        return writes.read(table, key);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return writes.scan(table, range, direction, limit);
    }

    /** A reader for many threads, which sees what this transaction sees. Nobody writes while it is used. */
    public Reader forQueries() {
        if (!writes.isEmpty()) {
            return new LockedReader(writes);
        }
        return snapshot == null ? store : snapshot;
    }

    /** Reads a row that is about to be written, or whose absence is. */
    Optional<Bytes> readToWrite(Table table, RowKey key) {
        Place place = new Place(table.id(), key.bytes());
        if (!seen.containsKey(place)) {
            Optional<Bytes> base = snapshot == null ? store.read(table, key) : snapshot.read(table, key);
            seen.put(place, new Seen(table, key, base));
        }
        return writes.read(table, key);
    }

    void put(Table table, RowKey key, Bytes value) {
        writes.put(table, key, value);
    }

    void delete(Table table, RowKey key) {
        writes.delete(table, key);
    }

    public WriteSet.Mark mark() {
        return writes.mark();
    }

    public void rollBackTo(WriteSet.Mark mark) {
        writes.rollBackTo(mark);
    }

    /**
     * Commits what was written.
     *
     * @throws SqlError {@link SqlCode#SERIALIZATION_FAILURE} when others were faster
     */
    public Commit commit() {
        if (writes.isEmpty()) {
            return store.latest();
        }
        int[] stripes = seen.values().stream()
                .mapToInt(row -> store.stripes().stripeOf(row.key().partition()))
                .distinct()
                .toArray();
        store.stripes().lockAll(stripes);
        try {
            seen.values().forEach(this::requireUnchanged);
            return writes.commit();
        } finally {
            store.stripes().unlockAll(stripes);
            seen.clear();
        }
    }

    private void requireUnchanged(Seen row) {
        if (!store.read(row.table(), row.key()).equals(row.value())) {
            throw new SqlError(
                    SqlCode.SERIALIZATION_FAILURE,
                    "could not serialize access: another transaction changed a row of "
                            + row.table().name() + " meanwhile; retry the transaction");
        }
    }

    @Override
    public void close() {
        writes.clear();
        seen.clear();
        if (snapshot != null) {
            snapshot.close();
        }
    }
}
