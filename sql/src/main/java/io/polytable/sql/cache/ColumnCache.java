package io.polytable.sql.cache;

import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.TableKind;
import io.polytable.table.TableStore;
import io.polytable.table.feed.RangeChanges;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of the columns of shared tables that queries repeatedly scan in full. Blocks are filled in the background: a
 * query takes what is cached and never waits. A table that changes faster than it is read is evicted, and each eviction
 * raises the number of scans that it takes to return.
 */
public final class ColumnCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ColumnCache.class);

    private static final int SCANS_FIRST = 2;
    private static final int SCANS_MOST = 4096;

    /** After more than this many consecutive misses the table changes too fast, and is evicted. */
    private static final int MISSES_MAX = 32;

    /** A block that has grown beyond this many times its size is split. */
    private static final int GROWTH_MAX = 4;

    /** While a query older than this reads blocks, none is replaced: DuckDB may keep the memory of replaced ones. */
    private static final long READER_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

    private final TableStore store;
    private final BlockStore blocks;
    private final Limits limits;
    private final ScheduledThreadPoolExecutor work;
    private final Map<Integer, Entry> entries = new HashMap<>();
    private final Set<CacheView> open = ConcurrentHashMap.newKeySet();
    private boolean closed;

    /**
     * Limits of the cache.
     *
     * @param bytesMax for all tables together; zero disables the cache
     * @param rowsMin smaller tables are fast enough without it
     */
    public record Limits(long bytesMax, int blockRows, int rowsMin, long idleMillis) {
        /** A block is half a row group of DuckDB. */
        public static Limits of(long bytesMax) {
            return new Limits(bytesMax, 61_440, 20_000, TimeUnit.MINUTES.toMillis(10));
        }
    }

    /** The state of a table that was scanned in full. */
    private static final class Entry {
        private @Nullable CachedTable cached;
        private int scans;
        private int scansNeeded = SCANS_FIRST;
        private int misses;
        private boolean busy;
        private long usedNanos;

        /** Doubles the scans that the next attempt takes. */
        private void backOff() {
            scans = 0;
            misses = 0;
            scansNeeded = Math.min(SCANS_MOST, scansNeeded * 2);
        }

        private long bytes() {
            return cached == null ? 0 : cached.bytes();
        }
    }

    public ColumnCache(TableStore store, BlockStore blocks, Limits limits) {
        this.store = store;
        this.blocks = blocks;
        this.limits = limits;
        work = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "sql-column-cache");
            thread.setDaemon(true);
            return thread;
        });
        work.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** The cached parts for a query that scans the whole table, if the reader is a snapshot. */
    public synchronized Optional<CacheView> view(SqlTable table, Reader reader) {
        if (closed || limits.bytesMax() == 0 || !isCacheable(table) || !(reader instanceof Snapshot snapshot)) {
            return Optional.empty();
        }
        Entry entry = entries.computeIfAbsent(table.table().id(), id -> new Entry());
        entry.usedNanos = System.nanoTime();
        forgetOlderSchema(table, entry);
        CachedTable cached = entry.cached;
        if (cached == null) {
            if (++entry.scans >= entry.scansNeeded) {
                begin(entry, () -> build(table, entry));
            }
            return Optional.empty();
        }
        if (cached.table().def().version() != table.def().version()) {
            return Optional.empty();
        }
        CacheView view = cached.view(snapshot, open::remove);
        open.add(view);
        return isTaken(view, cached, entry) ? Optional.of(view) : Optional.empty();
    }

    /** Rows that expire vanish without a change, and the rows of one user are few. */
    private static boolean isCacheable(SqlTable table) {
        return table.def().kind() == TableKind.SHARED && table.table().expiry().isNever();
    }

    /** Drops a cached table of an older schema. The query itself may have an older schema than the cache. */
    private static void forgetOlderSchema(SqlTable table, Entry entry) {
        CachedTable cached = entry.cached;
        if (cached != null && cached.table().def().version() < table.def().version()) {
            forget(entry);
        }
    }

    private boolean isTaken(CacheView view, CachedTable cached, Entry entry) {
        boolean worthwhile = view.isWorthwhile();
        if (worthwhile) {
            entry.misses = 0;
            entry.scansNeeded = Math.max(SCANS_FIRST, entry.scansNeeded - 1);
        } else if (!cached.isUpToDate()) {
            entry.misses++;
        }
        if (entry.misses > MISSES_MAX) {
            forget(entry);
            entry.backOff();
        } else if (!view.isComplete() && Integer.bitCount(entry.misses) <= 1) {
            begin(entry, () -> refresh(entry));
        }
        if (!worthwhile) {
            view.release();
        }
        return worthwhile;
    }

    private static void forget(Entry entry) {
        CachedTable cached = entry.cached;
        entry.cached = null;
        if (cached != null) {
            cached.close();
        }
    }

    private void begin(Entry entry, Runnable task) {
        if (entry.busy) {
            return;
        }
        entry.busy = true;
        try {
            work.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException failure) {
                    LOG.debug("A table does not get into the column cache", failure);
                    giveUp(entry);
                } finally {
                    idle(entry);
                    sweep();
                }
            });
        } catch (RejectedExecutionException closing) {
            entry.busy = false;
        }
    }

    private synchronized void giveUp(Entry entry) {
        forget(entry);
        entry.backOff();
    }

    private synchronized void idle(Entry entry) {
        entry.busy = false;
    }

    private void build(SqlTable table, Entry entry) {
        BlockBounds found;
        try (Snapshot snapshot = store.snapshot()) {
            found = BlockBounds.of(snapshot, table.table(), KeyRange.ALL, limits.blockRows(), limits.bytesMax());
        }
        if (found.rows() < limits.rowsMin() || found.bytes() > limits.bytesMax()) {
            giveUp(entry);
            return;
        }
        cut(table, found.bounds(), entry, null);
    }

    /** Replaces the cached table by one with other bounds: keeps valid blocks of equal ranges, and fills all others. */
    private void cut(SqlTable table, List<Bytes> bounds, Entry entry, @Nullable CachedTable before) {
        CachedTable next = new CachedTable(table, bounds, store.rangeChanges(table.table(), bounds));
        boolean installed = false;
        try (Snapshot snapshot = store.snapshot()) {
            if (before != null) {
                next.adopt(before, snapshot);
            }
            fill(next, snapshot, entry);
            installed = install(entry, next, before);
        } finally {
            if (!installed) {
                next.close();
            }
        }
    }

    private synchronized boolean install(Entry entry, CachedTable next, @Nullable CachedTable before) {
        if (closed || entry.cached != before) {
            return false;
        }
        forget(entry);
        entry.cached = next;
        return true;
    }

    private synchronized @Nullable CachedTable cached(Entry entry) {
        return entry.cached;
    }

    private void refresh(Entry entry) {
        CachedTable cached = cached(entry);
        if (cached == null || isReadForLong()) {
            return;
        }
        try (Snapshot snapshot = store.snapshot()) {
            fill(cached, snapshot, entry);
        }
        List<Bytes> bounds = evenBounds(cached);
        if (!bounds.equals(cached.bounds())) {
            cut(cached.table(), bounds, entry, cached);
        }
    }

    private boolean isReadForLong() {
        long now = System.nanoTime();
        return open.stream().anyMatch(view -> now - view.openedNanos() > READER_NANOS_MAX);
    }

    private void fill(CachedTable cached, Snapshot snapshot, Entry entry) {
        for (int i = 0; i < cached.size() && !isClosed(); i++) {
            long version = snapshot.version(cached.changes(), i);
            if (version != RangeChanges.UNKNOWN && !cached.isCurrent(i, version)) {
                BlockStore.Block block = blocks.fill(
                                cached.table(), cached.changes().range(i, i), snapshot)
                        .orElseThrow(() -> new IllegalStateException("rows that cannot be kept as columns"));
                cached.put(i, new CachedBlock(block, this::drop), version);
                if (!makeRoom(cached, entry)) {
                    throw new IllegalStateException("more than the cache may hold");
                }
            }
        }
    }

    /** Drops in the background, so that no query waits for it on release. */
    private void drop(BlockStore.Block block) {
        try {
            work.execute(() -> blocks.drop(block));
        } catch (RejectedExecutionException closing) {
            LOG.trace("A block goes with all others", closing);
        }
    }

    /** The bounds after splitting blocks that have grown and merging neighbours that have become small. */
    private List<Bytes> evenBounds(CachedTable cached) {
        List<Bytes> bounds = new ArrayList<>();
        long before = 0;
        for (int i = 0; i < cached.size(); i++) {
            long rows = cached.rowsOf(i);
            if (i > 0 && (before >= limits.blockRows() / 2 || rows >= limits.blockRows() / 2)) {
                bounds.add(cached.bounds().get(i - 1));
                before = 0;
            }
            before += rows;
            if (rows > (long) GROWTH_MAX * limits.blockRows()) {
                bounds.addAll(boundsWithin(cached, i));
            }
        }
        return bounds;
    }

    private List<Bytes> boundsWithin(CachedTable cached, int range) {
        try (Snapshot snapshot = store.snapshot()) {
            KeyRange keys = cached.changes().range(range, range);
            return BlockBounds.of(snapshot, cached.table().table(), keys, limits.blockRows(), limits.bytesMax())
                    .bounds();
        }
    }

    /** Evicts the least recently used tables until the cache fits; false if it does not fit even then. */
    private synchronized boolean makeRoom(CachedTable filling, Entry keep) {
        List<Entry> oldest = entries.values().stream()
                .filter(entry -> entry != keep && entry.cached != null)
                .sorted(Comparator.comparingLong(entry -> entry.usedNanos))
                .toList();
        long total = filling.bytes() + oldest.stream().mapToLong(Entry::bytes).sum();
        for (Entry entry : oldest) {
            if (total > limits.bytesMax()) {
                total -= entry.bytes();
                forget(entry);
            }
        }
        return total <= limits.bytesMax();
    }

    /** Evicts idle tables, including dropped ones, and reschedules itself while entries remain. */
    private synchronized void sweep() {
        long now = System.nanoTime();
        long idle = TimeUnit.MILLISECONDS.toNanos(limits.idleMillis());
        entries.values().removeIf(entry -> {
            boolean unused = !entry.busy && now - entry.usedNanos > idle;
            if (unused) {
                forget(entry);
            }
            return unused;
        });
        if (!closed && !entries.isEmpty() && work.getQueue().isEmpty()) {
            var unused = work.schedule(this::sweep, limits.idleMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Waits for the running task, which stops after its current block. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            entries.values().forEach(ColumnCache::forget);
            entries.clear();
        }
        work.shutdown();
        try {
            boolean unusedDone = work.awaitTermination(30, TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
