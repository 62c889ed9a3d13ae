package io.polytable.table.write;

import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.Expiry;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A batch that reads its own writes: the uncommitted changes of a command, a transaction or a script. Rows that it did
 * not write are read from its base: the current store or a snapshot. While it is empty, reads cost no more than those
 * of the base. Not thread safe; reusable after {@link #commit()}.
 */
public final class WriteSet implements Reader {
    private final TableStore store;
    private final Reader base;
    private final Batch batch = new Batch();
    private final EncodedRow row = new EncodedRow();
    private final ChangeIndex index = new ChangeIndex(batch);
    private final List<Runnable> afterCommit = new ArrayList<>();
    private long unit;
    private long life;

    /** A savepoint, restored by {@link #rollBackTo}. */
    public static final class Mark {
        private final long life;
        private final int changes;
        private final int rangeDeletes;
        private final int actions;

        private Mark(long life, int changes, int rangeDeletes, int actions) {
            this.life = life;
            this.changes = changes;
            this.rangeDeletes = rangeDeletes;
            this.actions = actions;
        }
    }

    public WriteSet(TableStore store) {
        this(store, store);
    }

    /**
     * Reads from the base, for example a snapshot of the store, and commits to the store. The caller validates its
     * reads before the commit, holding the {@link Stripes}; {@link #changes()} lists its writes.
     */
    public WriteSet(TableStore store, Reader base) {
        this.store = store;
        this.base = base;
    }

    public boolean isEmpty() {
        return batch.isEmpty();
    }

    public long sizeBytes() {
        return batch.sizeBytes();
    }

    /** The number of changes so far, in the order of {@link #change}. */
    public int changes() {
        return batch.size();
    }

    /** The i-th change, valid until the next write. */
    public EncodedRow change(EncodedRow target, int number) {
        return batch.row(target, number);
    }

    public void put(Table table, RowKey key, Bytes value) {
        batch.put(table, key, value);
    }

    public void put(Table table, RowKey key, Bytes head, Bytes tail) {
        batch.put(table, key, head, tail);
    }

    public void delete(Table table, RowKey key) {
        batch.delete(table, key);
    }

    public void deleteRange(Table table, KeyRange range) {
        batch.deleteRange(table, range);
    }

    /** Adds changes in a form that only takes a batch; they are part of the next commit like all others. */
    public void add(Consumer<Batch> changes) {
        changes.accept(batch);
    }

    /**
     * Runs the action once the next commit has succeeded, on its thread and before it returns: for state derived from
     * the rows (a cache, a count). The action is discarded when the commit fails, or when the set is cleared or rolled
     * back to an earlier savepoint.
     */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /**
     * A number that changes with each commit, clear or rollback: whatever was derived from uncommitted rows under
     * another number is stale.
     */
    public long unit() {
        return unit;
    }

    /** Sets a savepoint, at no cost. Valid until the next commit or clear. */
    public Mark mark() {
        return new Mark(life, batch.size(), batch.rangeDeletes(), afterCommit.size());
    }

    /**
     * Undoes the writes and actions since the savepoint, at a cost in proportion to them. The savepoint stays valid;
     * later ones do not. Open cursors still show what they showed.
     *
     * @throws IllegalArgumentException for a savepoint of another unit of work, or one later than the current state
     */
    public void rollBackTo(Mark mark) {
        if (mark.life != life || mark.changes > batch.size() || mark.actions > afterCommit.size()) {
            throw new IllegalArgumentException("not a mark of the present unit of work");
        }
        index.forgetFrom(mark.changes);
        batch.truncate(mark.changes, mark.rangeDeletes);
        afterCommit.subList(mark.actions, afterCommit.size()).clear();
        unit++;
    }

    /** Commits the changes, if there are any. The set is empty afterwards, also if the commit fails. */
    public Commit commit() {
        try {
            Commit commit = batch.isEmpty() ? store.latest() : store.commit(batch);
            afterCommit.forEach(Runnable::run);
            return commit;
        } finally {
            clear();
        }
    }

    /** Discards all changes. */
    public void clear() {
        index.clear();
        batch.clear();
        afterCommit.clear();
        unit++;
        life++;
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        int found = batch.isEmpty() ? ChangeIndex.NONE : index.last(table.id(), key.bytes());
        return found == ChangeIndex.NONE ? base.read(table, key) : written(table, found);
    }

    private Optional<Bytes> written(Table table, int change) {
        batch.row(row, change);
        if (row.op() != EncodedRow.PUT) {
            return Optional.empty();
        }
        // A copy: the batch's buffer is reused after the commit, while the value may still be in a pending reply.
        Optional<Bytes> value = Optional.of(row.value().copy());
        Expiry expiry = table.expiry();
        return expiry.isNever()
                ? value
                : expiry.shown(row.key(), value, store.clock().millis());
    }

    /** Reads all keys that the set did not write in one call to the base. */
    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        if (batch.isEmpty()) {
            return base.readMany(table, keys);
        }
        int[] changes = keys.stream()
                .mapToInt(key -> index.last(table.id(), key.bytes()))
                .toArray();
        List<RowKey> others = new ArrayList<>();
        for (int i = 0; i < changes.length; i++) {
            if (changes[i] == ChangeIndex.NONE) {
                others.add(keys.get(i));
            }
        }
        List<Optional<Bytes>> beneath = others.isEmpty() ? List.of() : base.readMany(table, others);
        List<Optional<Bytes>> values = new ArrayList<>(changes.length);
        int at = 0;
        for (int change : changes) {
            values.add(change == ChangeIndex.NONE ? beneath.get(at++) : written(table, change));
        }
        return values;
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        if (batch.isEmpty() || range.isEmpty()) {
            return base.scan(table, range, direction, limit);
        }
        NavigableMap<Bytes, DeletedRanges.Segment> deleted = index.deletedIn(table.id(), range);
        OwnRows own = index.rows(table.id(), range, direction, deleted, change -> written(table, change));
        boolean hasOwn = own.next();
        if (!hasOwn && deleted.isEmpty()) {
            return base.scan(table, range, direction, limit);
        }
        // Each own row hides at most one row of the base, and a seek passes over at most one for each; how many a range
        // delete hides is unknown.
        long most = 2L * batch.size();
        boolean bounded = deleted.isEmpty() && limit < Long.MAX_VALUE - most;
        try {
            Cursor beneath = base.scan(table, range, direction, bounded ? limit + most : Long.MAX_VALUE);
            return new OverlayCursor(beneath, own, hasOwn, deleted, direction, limit);
        } catch (RuntimeException e) {
            own.close();
            throw e;
        }
    }
}
