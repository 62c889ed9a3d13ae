package io.polytable.sql.model.transaction;

import io.polytable.frontend.limit.Budget;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.ColdLookups;
import io.polytable.sql.model.table.SqlTable;
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
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction under snapshot isolation or, as {@link SerializableCommits} adds, serializable: reads see a snapshot and its own writes. A commit succeeds if no row that was
 * read to be written has changed since, and otherwise fails as a whole. A single statement by key reads the store
 * directly instead of a snapshot, which is equivalent for one row and costs nothing to open.
 */
public final class Transaction implements Reader, AutoCloseable {
    /** Overhead of a tracked row beside its bytes: place, key and map entry. */
    private static final long ENTRY_BYTES = 300;

    private final TableStore store;
    private final Budget budget;
    private long held;
    private long scratch;

    private final SnapshotQuota.@Nullable Lease lease;
    private final @Nullable Snapshot snapshot;

    /** The definitions just before the snapshot was opened. */
    private final @Nullable CatalogState definitions;

    private final WriteSet writes;

    /** Rows read to be written, with the values that they had; the commit fails if one has changed. */
    private final Map<Place, Seen> seen = new HashMap<>();

    private final Reader first = new FirstReads();

    private record Place(int table, Bytes key) {}

    /** The owner is set for rows that may be flushed. */
    private record Seen(
            Table table,
            RowKey key,
            Optional<Bytes> value,
            @Nullable SqlTable owner) {}

    /** Rows that were found in segments, or nowhere, when they were read to be written. */
    private final Map<Place, SeenCold> seenCold = new HashMap<>();

    /** The places of both maps in order of insertion, so that a rollback to a savepoint can remove the latest. */
    private final List<Place> remembered = new ArrayList<>();

    private record SeenCold(SqlTable owner, Bytes key, Object version, Optional<StoredRow> row) {}

    /** Flushed rows that the commit compares with. */
    private final ColdLookups flushed;

    /** The tables written to, by id in the store. */
    private final Map<Integer, SqlTable> written = new HashMap<>();

    /** The serial order that the transaction is part of, if it is serializable, and where in it the transaction began. */
    private final @Nullable SerializableCommits order;

    private final long since;
    private boolean touched;

    /** The ids of the tables that a serializable transaction read. */
    private final Set<Integer> readTables = new HashSet<>();

    private Transaction(
            TableStore store,
            Budget budget,
            SnapshotQuota.@Nullable Lease lease,
            @Nullable CatalogState definitions,
            @Nullable SerializableCommits order,
            long since) {
        this.order = order;
        this.since = since;
        this.store = store;
        this.budget = budget;
        this.lease = lease;
        snapshot = lease == null ? null : lease.snapshot();
        this.definitions = definitions;
        flushed = new ColdLookups(store);
        writes = new WriteSet(store, snapshot == null ? first : snapshot);
    }

    /**
     * The store as a statement by key first saw it. Without a snapshot a row may change before the statement writes.
     * The commit compares with the first read, since an update computed from it would otherwise overwrite what others
     * committed in between.
     */
    private final class FirstReads implements Reader {
        @Override
        public Optional<Bytes> read(Table table, RowKey key) {
            return seen.computeIfAbsent(
                            new Place(table.id(), key.bytes()),
                            place -> new Seen(table, key, store.read(table, key), null))
                    .value();
        }

        @Override
        public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
            return store.scan(table, range, direction, limit);
        }
    }

    /** A transaction whose reads see a snapshot taken now. */
    public static Transaction overSnapshot(
            Catalog catalog, TableStore store, Budget budget, SnapshotQuota.Share snapshots) {
        // Definitions first: an index that is defined by then is complete in the later snapshot.
        CatalogState definitions = catalog.state();
        return new Transaction(store, budget, snapshots.open(), definitions, null, 0);
    }

    /** A serializable transaction. */
    public static Transaction serializable(
            Catalog catalog,
            TableStore store,
            Budget budget,
            SnapshotQuota.Share snapshots,
            SerializableCommits order) {
        CatalogState definitions = catalog.state();
        // The order first: a commit in between is taken for a conflict, instead of being missed.
        long since = order.now();
        return new Transaction(store, budget, snapshots.open(), definitions, order, since);
    }

    /** For statements that read rows by key only. */
    public static Transaction overStore(TableStore store, Budget budget) {
        return new Transaction(store, budget, null, null, null, 0);
    }

    /** Registers a table whose rows decide what the transaction reads or writes. */
    public void reads(SqlTable table) {
        touched = true;
        if (order != null) {
            readTables.add(table.table().id());
        }
    }

    /** Whether a statement has used the snapshot. */
    public boolean hasReadOrWritten() {
        return touched || hasWrites();
    }

    /** Whether its reads see a snapshot. */
    public boolean isOverSnapshot() {
        return snapshot != null;
    }

    public boolean hasWrites() {
        return !writes.isEmpty();
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        return writes.read(table, key);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return writes.scan(table, range, direction, limit);
    }

    /**
     * Rejects a table whose indexes are newer than the transaction's snapshot: an index that was created later has no
     * entries in it, and would hide all rows.
     *
     * @throws SqlError {@link SqlCode#SERIALIZATION_FAILURE}
     */
    public void requireIndexes(SqlTable table) {
        if (definitions != null && !definitions.hasIndexesOf(table)) {
            throw new SqlError(
                    SqlCode.SERIALIZATION_FAILURE,
                    "the indexes of " + table.name() + " were changed meanwhile; retry the transaction");
        }
    }

    /**
     * A thread-safe reader that sees what this transaction sees. Nothing may be written while it is in use.
     *
     * @param read the SQL tables that are read
     */
    public Reader forQueries(List<SqlTable> read) {
        touched = true;
        read.forEach(this::requireIndexes);
        read.forEach(this::reads);
        if (!writes.isEmpty()) {
            return new LockedReader(writes);
        }
        return snapshot == null ? store : snapshot;
    }

    /** Reads a row that is to be written, or must stay absent, and tracks it for the conflict check. */
    Optional<Bytes> readToWrite(Table table, RowKey key) {
        return readToWrite(table, key, null);
    }

    private Optional<Bytes> readToWrite(Table table, RowKey key, @Nullable SqlTable owner) {
        Place place = new Place(table.id(), key.bytes());
        Seen known = seen.get(place);
        if (known == null) {
            Optional<Bytes> base = snapshot == null ? store.read(table, key) : snapshot.read(table, key);
            hold(ENTRY_BYTES + key.bytes().length() + base.map(Bytes::length).orElse(0));
            seen.put(place, new Seen(table, key, base, owner));
            remembered.add(place);
        } else if (known.owner() == null && owner != null) {
            // A read by key tracked the row before it was known that it may be flushed.
            seen.put(place, new Seen(table, key, known.value(), owner));
        }
        return writes.read(table, key);
    }

    /** Like the other, for a row that may be flushed. */
    Optional<StoredRow> readToWrite(SqlTable owner, RowKey key) {
        return readToWrite(owner, key, Optional.empty());
    }

    /**
     * Like the other, for a row that the statement has already read. A row that the snapshot has in a segment is not
     * looked up there again, which would open the file for each row of the statement.
     */
    Optional<StoredRow> readToWrite(SqlTable owner, StoredRow read) {
        return readToWrite(owner, read.key(), snapshot == null ? Optional.empty() : Optional.of(read));
    }

    private Optional<StoredRow> readToWrite(SqlTable owner, RowKey key, Optional<StoredRow> read) {
        Optional<StoredRow> hot =
                readToWrite(owner.table(), key, owner).map(value -> owner.decoded(key.bytes(), value));
        if (hot.isPresent() || !owner.cold().isUsed()) {
            return hot;
        }
        Place place = new Place(owner.table().id(), key.bytes());
        SeenCold known = seenCold.get(place);
        if (known == null) {
            // The version first: if segments change in between, the commit checks again.
            Object version = owner.cold().version(this, owner, key.bytes());
            Optional<StoredRow> found = read.isPresent() ? read : owner.cold().find(this, owner, key.bytes());
            known = new SeenCold(owner, key.bytes(), version, found);
            hold(ENTRY_BYTES
                    + known.row()
                            .map(row -> StatementMemory.sizeOf(row.values()))
                            .orElse(0L));
            seenCold.put(place, known);
            remembered.add(place);
        }
        return known.row();
    }

    private void hold(long bytes) {
        StatementMemory.take(budget, bytes);
        held += bytes;
    }

    /** Takes memory for rows that a statement collects; call {@link #releaseScratch()} when it ends. */
    public void holdScratch(long bytes) {
        StatementMemory.take(budget, bytes);
        scratch += bytes;
    }

    public void releaseScratch() {
        budget.release(scratch);
        scratch = 0;
    }

    /** The tables written to. */
    public Collection<SqlTable> written() {
        return List.copyOf(written.values());
    }

    /** Registers a table before it is written to. */
    void write(SqlTable owner) {
        written.put(owner.table().id(), owner);
    }

    void put(Table table, RowKey key, Bytes value) {
        hold(2L * (key.bytes().length() + value.length()));
        writes.put(table, key, value);
    }

    void delete(Table table, RowKey key) {
        writes.delete(table, key);
    }

    /** A savepoint. */
    public static final class Mark {
        private final WriteSet.Mark writes;
        private final int remembered;
        private final long held;

        private Mark(WriteSet.Mark writes, int remembered, long held) {
            this.writes = writes;
            this.remembered = remembered;
            this.held = held;
        }
    }

    public Mark mark() {
        return new Mark(writes.mark(), remembered.size(), held);
    }

    /**
     * Discards what was written since the mark, and the reads tracked for it: nothing depends on those rows any more,
     * so others may have changed them. The memory of both is given back.
     */
    public void rollBackTo(Mark mark) {
        writes.rollBackTo(mark.writes);
        List<Place> since = remembered.subList(mark.remembered, remembered.size());
        for (int i = since.size() - 1; i >= 0; i--) {
            forget(since.get(i));
        }
        since.clear();
        budget.release(held - mark.held);
        held = mark.held;
    }

    /** The entry for segments was added after the one for the store, which may be older than the mark. */
    private void forget(Place place) {
        if (seenCold.remove(place) == null) {
            seen.remove(place);
        }
    }

    /**
     * Commits the writes. Empty, and nothing happened, if the conflict check needs flushed rows, which a storage may
     * take long to return: release all locks, call {@link #fetch()}, and commit again.
     *
     * @throws SqlError {@link SqlCode#SERIALIZATION_FAILURE} on a conflict
     */
    public Optional<Commit> commit() {
        return writes.isEmpty() ? Optional.of(store.latest()) : commit(batch -> {});
    }

    /** Fetches the flushed rows that the last attempt to commit was missing. The caller holds no lock. */
    public void fetch() {
        flushed.fetch();
    }

    /**
     * Commits the writes together with changes of definitions, as {@link #commit()} does.
     *
     * @throws SqlError {@link SqlCode#SERIALIZATION_FAILURE} on a conflict
     */
    public Optional<Commit> commit(Consumer<Batch> definitions) {
        List<Runnable> ends = new ArrayList<>();
        try {
            for (SqlTable owner : written.values()) {
                ends.add(owner.cold().committing(() -> keys(owner.table().id())));
            }
            return order == null
                    ? checkedCommit(definitions)
                    : order.commit(since, readTables, written.keySet(), () -> checkedCommit(definitions));
        } finally {
            ends.forEach(Runnable::run);
        }
    }

    private List<Bytes> keys(int table) {
        List<Bytes> keys = new ArrayList<>();
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < writes.changes(); i++) {
            writes.change(row, i);
            if (row.table() == table) {
                keys.add(row.key().copy());
            }
        }
        return keys;
    }

    private Optional<Commit> checkedCommit(Consumer<Batch> definitions) {
        int[] stripes = stripesOfSeen();
        store.stripes().lockAll(stripes);
        try {
            seen.values().forEach(this::requireUnchanged);
            seenCold.values().forEach(this::requireUnchanged);
            if (flushed.isMissingAny()) {
                return Optional.empty();
            }
            writes.add(definitions);
            Commit commit = writes.commit();
            seen.clear();
            seenCold.clear();
            return Optional.of(commit);
        } finally {
            store.stripes().unlockAll(stripes);
        }
    }

    /**
     * A plain loop: a statement by key has one or two rows, for which a stream would cost more than the rest of the
     * commit.
     */
    private int[] stripesOfSeen() {
        int[] stripes = new int[seen.size()];
        int count = 0;
        for (Seen row : seen.values()) {
            stripes[count++] = store.stripes().stripeOf(row.key().partition());
        }
        if (count < 2) {
            return stripes;
        }
        return Arrays.stream(stripes).distinct().toArray();
    }

    private void requireUnchanged(Seen row) {
        Optional<Bytes> now = store.read(row.table(), row.key());
        SqlTable owner = row.owner();
        if (owner != null && now.isEmpty() && owner.cold().isUsed()) {
            requireUnchangedInFiles(row, owner);
        } else if (!now.equals(row.value())) {
            throw conflict(row.table());
        }
    }

    /**
     * A row that was flushed unchanged is no conflict. A row that was absent when nothing was flushed yet may have been
     * inserted and flushed since.
     */
    private void requireUnchangedInFiles(Seen row, SqlTable owner) {
        Bytes key = row.key().bytes();
        boolean checkedAsCold = row.value().isEmpty()
                && seenCold.containsKey(new Place(owner.table().id(), key));
        if (!checkedAsCold && flushed.knows(owner, key)) {
            requireSame(owner, row.value().map(value -> owner.decoded(key, value)), flushed.row(owner, key));
        }
    }

    /** A row that was seen in a segment may have been updated and flushed again since. */
    private void requireUnchanged(SeenCold row) {
        SqlTable owner = row.owner();
        boolean moved = !owner.cold().version(store, owner, row.key()).equals(row.version());
        if (moved && flushed.knows(owner, row.key())) {
            requireSame(owner, row.row(), flushed.row(owner, row.key()));
        }
    }

    private static void requireSame(SqlTable owner, Optional<StoredRow> before, Optional<StoredRow> now) {
        boolean same = now.isEmpty()
                ? before.isEmpty()
                : before.filter(now.get()::isSame).isPresent();
        if (!same) {
            throw conflict(owner.table());
        }
    }

    static SqlError conflict(Table table) {
        return new SqlError(
                SqlCode.SERIALIZATION_FAILURE,
                "could not serialize access: another transaction changed a row of " + table.name()
                        + " meanwhile; retry the transaction");
    }

    @Override
    public void close() {
        writes.clear();
        seen.clear();
        seenCold.clear();
        remembered.clear();
        releaseScratch();
        budget.release(held);
        held = 0;
        if (lease != null) {
            lease.close();
        }
    }
}
