package io.polytable.table.testkit;

import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Limits;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The reference implementation of the contract: a sorted map for each table, one lock around everything, cursors and
 * snapshots that copy. Everything is durable at once and gone with the process. Other stores are compared with it and
 * frontends are tested on it, so it is simple rather than fast.
 */
public final class MemoryStore implements TableStore {
    /** The default number of commits that the change feed goes back. */
    public static final int COMMITS_KEPT = 100_000;

    static final NavigableMap<Bytes, Bytes> NO_ROWS = Collections.unmodifiableNavigableMap(new TreeMap<>());

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition committed = lock.newCondition();
    private final Stripes stripes = new Stripes();
    private final MemoryLog log;
    private final InstantSource clock;
    private final Map<Integer, MemoryTable> tables = new HashMap<>();
    private final NavigableMap<TableName, MemoryTable> byName =
            new TreeMap<>(Comparator.comparing(TableName::namespace).thenComparing(TableName::name));
    private final Map<MemoryFeed, Runnable> whenCommitted = new LinkedHashMap<>();
    private final List<Runnable> ready = new ArrayList<>();
    private final List<RangeChanges> watched = new ArrayList<>();
    private int lastTableId;
    private long lastTicket;
    private boolean closed;

    public MemoryStore() {
        this(COMMITS_KEPT);
    }

    /** A store whose change feed goes back only so many commits. */
    public MemoryStore(int commitsKept) {
        this(commitsKept, InstantSource.system());
    }

    /** A store whose rows expire by this clock. */
    public MemoryStore(int commitsKept, InstantSource clock) {
        log = new MemoryLog(commitsKept);
        this.clock = clock;
    }

    @Override
    public Table create(TableSpec spec) {
        return locked(() -> {
            Optional<MemoryTable> present = named(spec.name());
            if (present.isPresent()) {
                return requireEqual(present.get(), spec);
            }
            spec.requireCreatable();
            if (tables.size() >= Limits.TABLES_MAX) {
                throw new StoreException(StoreError.TOO_MANY, "No more tables", Map.of("max", Limits.TABLES_MAX));
            }
            MemoryTable table = new MemoryTable(this, ++lastTableId, spec);
            tables.put(table.id(), table);
            byName.put(table.name(), table);
            return table;
        });
    }

    private static Table requireEqual(MemoryTable present, TableSpec spec) {
        if (!present.spec().equals(spec)) {
            throw new StoreException(
                    StoreError.TABLE_EXISTS, "A table of this name has another spec", Map.of("table", spec.name()));
        }
        return present;
    }

    @Override
    public Optional<Table> find(TableName name) {
        return locked(() -> named(name).map(table -> table));
    }

    @Override
    public List<Table> tables() {
        return locked(() -> List.copyOf(byName.values()));
    }

    @Override
    public Table addColumn(TableName name, Column column) {
        return locked(() -> {
            MemoryTable table = existing(name);
            table.alter(table.spec().withColumn(column));
            return table;
        });
    }

    @Override
    public Table setTtl(TableName name, Optional<Duration> ttl) {
        return locked(() -> {
            MemoryTable table = existing(name);
            table.alter(table.spec().withTtl(ttl));
            return table;
        });
    }

    @Override
    public void drop(TableName name) {
        locked(() -> {
            MemoryTable table = existing(name);
            byName.remove(name);
            return tables.remove(table.id());
        });
    }

    private Optional<MemoryTable> named(TableName name) {
        return Optional.ofNullable(byName.get(name));
    }

    private MemoryTable existing(TableName name) {
        return named(name).orElseThrow(() -> noSuchTable(name));
    }

    /** Resolves the caller's handle to a live table of ours. */
    MemoryTable own(Table table) {
        return locked(() -> {
            if (!(table instanceof MemoryTable mine) || !mine.isOf(this)) {
                throw new IllegalArgumentException("A table of another store: " + table.name());
            }
            return byId(mine.id());
        });
    }

    private MemoryTable byId(int id) {
        MemoryTable table = tables.get(id);
        if (table == null) {
            throw noSuchTable(id);
        }
        return table;
    }

    private static StoreException noSuchTable(Object which) {
        return new StoreException(StoreError.NO_SUCH_TABLE, "No such table", Map.of("table", which));
    }

    @Override
    public Stripes stripes() {
        return stripes;
    }

    @Override
    public long ticket() {
        return locked(() -> ++lastTicket);
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        return locked(() -> {
            Optional<Bytes> stored = Optional.ofNullable(own(table).rows().get(key.bytes()));
            return table.expiry().shown(key.bytes(), stored, clock.millis());
        });
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return locked(() -> {
            KeyRange alive = table.expiry().alive(range, clock.millis());
            return RowListCursor.over(own(table).rows(), alive, direction, limit);
        });
    }

    @Override
    public Commit commit(Batch batch) {
        return locked(() -> {
            List<MemoryLog.Entry> entries = entriesOf(batch);
            if (entries.isEmpty()) {
                return new MemoryCommit(log.last());
            }
            Map<Place, Optional<Bytes>> touched = touched(entries);
            entries.forEach(MemoryStore::apply);
            committed.signalAll();
            ready.addAll(whenCommitted.values());
            whenCommitted.clear();
            long number = log.append(batch.origin(), entries, withBefore(touched));
            tellWatchers(batch, number);
            return new MemoryCommit(number);
        });
    }

    private void tellWatchers(Batch batch, long number) {
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < batch.size(); i++) {
            batch.row(row, i);
            watched.stream()
                    .filter(changes -> changes.table().id() == row.table())
                    .forEach(changes -> changes.changed(row, number));
        }
    }

    @Override
    public RangeChanges rangeChanges(Table table, List<Bytes> bounds) {
        return locked(() -> {
            RangeChanges changes = new RangeChanges(own(table), bounds, log.last(), this::forget);
            watched.add(changes);
            return changes;
        });
    }

    private void forget(RangeChanges changes) {
        lock.lock();
        try {
            watched.remove(changes);
        } finally {
            lock.unlock();
        }
    }

    /** The old values of all rows that the commit touches, in order. */
    private static Map<Place, Optional<Bytes>> touched(List<MemoryLog.Entry> entries) {
        Map<Place, Optional<Bytes>> before = new LinkedHashMap<>();
        for (MemoryLog.Entry entry : entries) {
            NavigableMap<Bytes, Bytes> rows = entry.table().rows();
            if (entry.kind() == Change.Kind.DELETE_RANGE) {
                KeyRange range = KeyRange.between(entry.key(), entry.end().orElseThrow());
                RowListCursor.within(rows, range)
                        .forEach((key, value) -> before.put(new Place(entry.table(), key), Optional.of(value)));
            } else {
                before.put(new Place(entry.table(), entry.key()), Optional.ofNullable(rows.get(entry.key())));
            }
        }
        return before;
    }

    /** The changes of an applied commit; rows that existed neither before nor after are omitted. */
    private static List<MemoryLog.Entry> withBefore(Map<Place, Optional<Bytes>> touched) {
        List<MemoryLog.Entry> old = new ArrayList<>();
        touched.forEach((place, before) -> {
            Optional<Bytes> after = Optional.ofNullable(place.table().rows().get(place.key()));
            if (before.isPresent() || after.isPresent()) {
                Change.Kind kind = after.isPresent() ? Change.Kind.PUT : Change.Kind.DELETE;
                old.add(new MemoryLog.Entry(kind, place.table(), place.key(), after, before, Optional.empty()));
            }
        });
        return old;
    }

    private record Place(MemoryTable table, Bytes key) {}

    /** Copies, since the caller reuses the batch's buffer, and resolves all tables before anything is applied. */
    private List<MemoryLog.Entry> entriesOf(Batch batch) {
        List<MemoryLog.Entry> entries = new ArrayList<>(batch.size());
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < batch.size(); i++) {
            batch.row(row, i);
            entries.add(entryOf(row, byId(row.table())));
        }
        return entries;
    }

    private static MemoryLog.Entry entryOf(EncodedRow row, MemoryTable table) {
        Bytes key = row.key().copy();
        return switch (row.op()) {
            case EncodedRow.PUT ->
                new MemoryLog.Entry(
                        Change.Kind.PUT,
                        table,
                        key,
                        Optional.of(row.value().copy()),
                        Optional.empty(),
                        Optional.empty());
            case EncodedRow.DELETE ->
                new MemoryLog.Entry(
                        Change.Kind.DELETE, table, key, Optional.empty(), Optional.empty(), Optional.empty());
            case EncodedRow.DELETE_RANGE ->
                new MemoryLog.Entry(
                        Change.Kind.DELETE_RANGE,
                        table,
                        key,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(row.value().copy()));
            default -> throw new IllegalStateException("unknown row operation " + row.op());
        };
    }

    private static void apply(MemoryLog.Entry entry) {
        NavigableMap<Bytes, Bytes> rows = entry.table().rows();
        switch (entry.kind()) {
            case PUT -> rows.put(entry.key(), entry.value().orElseThrow());
            case DELETE -> rows.remove(entry.key());
            case DELETE_RANGE ->
                RowListCursor.within(
                                rows, KeyRange.between(entry.key(), entry.end().orElseThrow()))
                        .clear();
        }
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public Cursor expired(Table table, long limit) {
        KeyRange over = table.expiry().over(clock.millis());
        return locked(() -> RowListCursor.over(own(table).rows(), over, Direction.FORWARD, limit));
    }

    @Override
    public Commit latest() {
        return locked(() -> new MemoryCommit(log.last()));
    }

    @Override
    public void flush() {
        // Every commit is complete when it returns.
    }

    @Override
    public boolean hasRoom() {
        return true;
    }

    @Override
    public void whenRoom(Runnable action) {
        action.run();
    }

    @Override
    public Snapshot snapshot() {
        return locked(() -> {
            Map<MemoryTable, NavigableMap<Bytes, Bytes>> copies = new HashMap<>();
            tables.values().forEach(table -> copies.put(table, new TreeMap<>(table.rows())));
            return new MemorySnapshot(this, copies, log.last(), clock.millis());
        });
    }

    @Override
    public ChangeFeed changes(Set<Table> wanted, Position from) {
        return locked(() -> {
            Set<MemoryTable> mine = new HashSet<>();
            wanted.forEach(table -> mine.add(own(table)));
            return new MemoryFeed(this, mine, log.numberOf(from), false);
        });
    }

    ChangeFeed changesSince(Set<Table> wanted, long number) {
        return locked(() -> {
            Set<MemoryTable> mine = new HashSet<>();
            wanted.forEach(table -> mine.add(own(table)));
            return new MemoryFeed(this, mine, number, true);
        });
    }

    /** Runs the action when there is a commit after this one; a feed's later action replaces an earlier one. */
    void whenCommitAfter(long number, MemoryFeed feed, Runnable action) {
        locked(() -> {
            if (log.last() > number) {
                ready.add(action);
            } else {
                whenCommitted.put(feed, action);
            }
            return feed;
        });
    }

    void forget(MemoryFeed feed) {
        lock.lock();
        try {
            whenCommitted.remove(feed);
        } finally {
            lock.unlock();
        }
    }

    Optional<MemoryLog.Step> next(long number, Set<MemoryTable> wanted, boolean withOld) {
        return locked(() -> log.next(number, wanted, withOld));
    }

    /** Waits for a commit after this one; false after a timeout or an interruption of the thread. */
    boolean awaitCommitAfter(long number, long deadlineNanos) {
        lock.lock();
        try {
            while (log.last() <= number && !closed) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0 || !committed.await(left, TimeUnit.NANOSECONDS)) {
                    return false;
                }
            }
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Expires every position before now, like a log beyond its retention. */
    public void forgetChanges() {
        locked(() -> {
            log.forgetAll();
            return log.last();
        });
    }

    @Override
    public Position position() {
        return latest().position();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            committed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            if (closed) {
                throw new StoreException(StoreError.CLOSED, "The store is closed");
            }
            return action.get();
        } finally {
            // Actions of feeds run without the lock, on the thread that releases it last.
            List<Runnable> due = lock.getHoldCount() > 1 ? List.of() : List.copyOf(ready);
            ready.removeAll(due);
            lock.unlock();
            due.forEach(Runnable::run);
        }
    }
}
