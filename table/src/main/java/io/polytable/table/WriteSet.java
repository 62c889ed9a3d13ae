package io.polytable.table;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A batch whose own reads see it: what a command, a transaction or a script writes to before it is committed as one.
 * What it did not write it reads from its base: the store as it is, or a snapshot. While it is empty, reads cost nothing
 * over the base's own. Not thread safe; used again after {@link #commit()}.
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

    /** A state of a write set that {@link #rollBackTo} brings back: what SQL calls a savepoint. */
    public static final class Mark {
        private final long life;
        private final int changes;
        private final int rangeDeletes;
        private final boolean deadlines;
        private final int actions;

        private Mark(long life, int changes, int rangeDeletes, boolean deadlines, int actions) {
            this.life = life;
            this.changes = changes;
            this.rangeDeletes = rangeDeletes;
            this.deadlines = deadlines;
            this.actions = actions;
        }
    }

    public WriteSet(TableStore store) {
        this(store, store);
    }

    /**
     * Reads from the base, a snapshot of the store for example, and commits to the store. Whether what was read still
     * holds when it commits, the caller checks, with the {@link Stripes} held; {@link #changes()} tells what it wrote.
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

    /** How many changes were written so far, in the order of {@link #change}. */
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

    /** As {@link Batch#putUntil}. */
    public void putUntil(Table table, RowKey key, Bytes value, long deadlineMillis) {
        batch.putUntil(table, key, value, deadlineMillis);
    }

    public void delete(Table table, RowKey key) {
        batch.delete(table, key);
    }

    public void deleteRange(Table table, KeyRange range) {
        batch.deleteRange(table, range);
    }

    /**
     * Runs the action once the next commit has succeeded, on its thread and before it returns: where something kept
     * beside the rows (a cache, a count) follows them. When the commit fails, the set is cleared or rolled back to a mark
     * from before, it is forgotten.
     */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /**
     * Another number after each commit, clear or rollback: what was worked out from uncommitted rows under one number no
     * longer holds under another.
     */
    public long unit() {
        return unit;
    }

    /** Remembers the present state, at no cost. Valid until the next commit or clear. */
    public Mark mark() {
        return new Mark(life, batch.size(), batch.rangeDeletes(), batch.hasDeadlines(), afterCommit.size());
    }

    /**
     * Forgets what was written since the mark, and the actions added since, at a cost in proportion to that. The mark
     * stays valid; marks made after it do not. Cursors that are open still show what they showed.
     *
     * @throws IllegalArgumentException for a mark of another unit of work, or from behind the present state
     */
    public void rollBackTo(Mark mark) {
        if (mark.life != life || mark.changes > batch.size() || mark.actions > afterCommit.size()) {
            throw new IllegalArgumentException("not a mark of the present unit of work");
        }
        index.forgetFrom(mark.changes);
        batch.truncate(mark.changes, mark.rangeDeletes, mark.deadlines);
        afterCommit.subList(mark.actions, afterCommit.size()).clear();
        unit++;
    }

    /** Commits what was written, if anything was, and is empty afterwards also when that fails. */
    public Commit commit() {
        try {
            Commit commit = batch.isEmpty() ? store.latest() : store.commit(batch);
            afterCommit.forEach(Runnable::run);
            return commit;
        } finally {
            clear();
        }
    }

    /** Forgets what was written. */
    public void clear() {
        batch.clear();
        index.clear();
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
        // A copy: the batch's buffer is used again after the commit, while the value may still be on its way out.
        Optional<Bytes> value = Optional.of(row.value().copy());
        Expiry expiry = table.expiry();
        return expiry.isNever()
                ? value
                : expiry.shown(row.key(), value, store.clock().millis());
    }

    /** What the set did not write is one reading of the base. */
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
        NavigableMap<Bytes, Optional<Bytes>> own = ownRows(table, range);
        NavigableMap<Bytes, Bytes> deleted = index.deletedIn(table.id(), range);
        if (own.isEmpty() && deleted.isEmpty()) {
            return base.scan(table, range, direction, limit);
        }
        // Each own row hides at most one beneath it, and a seek passes over at most one for each; how many a range
        // delete hides is not known.
        long most = 2L * own.size();
        boolean bounded = deleted.isEmpty() && limit < Long.MAX_VALUE - most;
        Cursor beneath = base.scan(table, range, direction, bounded ? limit + most : Long.MAX_VALUE);
        return new OverlayCursor(beneath, own, deleted, direction, limit);
    }

    private NavigableMap<Bytes, Optional<Bytes>> ownRows(Table table, KeyRange range) {
        NavigableMap<Bytes, Optional<Bytes>> own = new TreeMap<>();
        index.forEach(table.id(), range, change -> {
            Optional<Bytes> value = written(table, change);
            own.put(row.key().copy(), value);
        });
        return own;
    }
}
