package io.polytable.sql.cache;

import io.polytable.sql.model.SqlTable;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RangeChanges;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.TableKind;
import io.polytable.table.TableStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the columns of shared tables that queries read whole more than once. All filling is done in the background: a query
 * takes what is there and never waits. A table that changes faster than it is read leaves the cache, and has to be read ever
 * more often before it comes in again.
 */
public final class ColumnCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ColumnCache.class);

    private static final int SCANS_FIRST = 2;
    private static final int SCANS_MOST = 4096;

    /** So many queries in a row that found too little: the table changes too fast. */
    private static final int MISSES_MAX = 32;

    /** A block that has grown to so many times its size is cut. */
    private static final int GROWTH_MAX = 4;

    /** What a row costs beside its bytes: places of values, their nulls. */
    private static final long COLUMN_BYTES = 16;

    private final TableStore store;
    private final BlockStore blocks;
    private final Limits limits;
    private final ScheduledThreadPoolExecutor work;
    private final Map<Integer, Entry> entries = new HashMap<>();
    private boolean closed;

    /**
     * How much is kept, and in which portions.
     *
     * @param bytesMax of all tables together; zero for no cache
     * @param rowsMin smaller tables are read fast enough
     */
    public record Limits(long bytesMax, int blockRows, int rowsMin, long idleMillis) {
        /** Half of what DuckDB calls a row group is a block. */
        public static Limits of(long bytesMax) {
            return new Limits(bytesMax, 61_440, 20_000, TimeUnit.MINUTES.toMillis(10));
        }
    }

    /** What is known of a table that was read whole. */
    private static final class Entry {
        private @Nullable CachedTable cached;
        private int scans;
        private int scansNeeded = SCANS_FIRST;
        private int misses;
        private boolean busy;
        private long bytesPerRow;
        private long usedNanos;

        /** The next attempt needs twice as many scans. */
        private void backOff() {
            scans = 0;
            misses = 0;
            scansNeeded = Math.min(SCANS_MOST, scansNeeded * 2);
        }

        private long bytes() {
            return cached == null ? 0 : cached.rows() * bytesPerRow;
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

    /** What a query that reads all rows of the table may take from here, if the reader is a moment of the store. */
    public synchronized Optional<CacheView> view(SqlTable table, Reader reader) {
        if (closed || limits.bytesMax() == 0 || !isCacheable(table) || !(reader instanceof Snapshot snapshot)) {
            return Optional.empty();
        }
        Entry entry = entries.computeIfAbsent(table.table().id(), id -> new Entry());
        entry.usedNanos = System.nanoTime();
        CachedTable cached = cachedUnder(table, entry);
        if (cached == null) {
            if (++entry.scans >= entry.scansNeeded) {
                begin(entry, () -> build(table, entry));
            }
            return Optional.empty();
        }
        return Optional.of(cached.view(snapshot)).filter(view -> isTaken(view, entry));
    }

    /** Rows that expire are gone without a change, and those of one user are few. */
    private static boolean isCacheable(SqlTable table) {
        return table.def().kind() == TableKind.SHARED && table.table().expiry().isNever();
    }

    private @Nullable CachedTable cachedUnder(SqlTable table, Entry entry) {
        CachedTable cached = entry.cached;
        if (cached == null || cached.table().def().version() == table.def().version()) {
            return cached;
        }
        // A query may still be at work under an older schema than the cache.
        if (cached.table().def().version() < table.def().version()) {
            forget(entry);
        }
        return null;
    }

    private boolean isTaken(CacheView view, Entry entry) {
        boolean worthwhile = view.isWorthwhile();
        entry.misses = worthwhile ? 0 : entry.misses + 1;
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
                    sweep();
                } catch (RuntimeException failure) {
                    LOG.debug("A table does not get into the column cache", failure);
                    giveUp(entry);
                } finally {
                    idle(entry);
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
        long bytesPerRow = found.rows() == 0
                ? 0
                : found.bytes() / found.rows() + table.def().columns().size() * COLUMN_BYTES;
        if (found.rows() < limits.rowsMin() || !makeRoom(found.rows() * bytesPerRow, entry)) {
            giveUp(entry);
            return;
        }
        synchronized (this) {
            entry.bytesPerRow = bytesPerRow;
        }
        install(entry, cut(table, found.bounds(), null));
    }

    /** A table with these bounds, filled with what another has already and with the rows of all other ranges. */
    private CachedTable cut(SqlTable table, List<Bytes> bounds, @Nullable CachedTable before) {
        CachedTable next = new CachedTable(table, bounds, store.rangeChanges(table.table(), bounds));
        try (Snapshot snapshot = store.snapshot()) {
            if (before != null) {
                next.adopt(before, snapshot);
            }
            fill(next, snapshot);
            return next;
        } catch (RuntimeException failure) {
            next.close();
            throw failure;
        }
    }

    private synchronized void install(Entry entry, CachedTable next) {
        if (closed) {
            next.close();
            return;
        }
        forget(entry);
        entry.cached = next;
    }

    private void refresh(Entry entry) {
        CachedTable cached;
        synchronized (this) {
            cached = entry.cached;
        }
        if (cached == null) {
            return;
        }
        try (Snapshot snapshot = store.snapshot()) {
            fill(cached, snapshot);
        }
        List<Bytes> bounds = finerBounds(cached);
        if (bounds.size() > cached.bounds().size()) {
            CachedTable next = cut(cached.table(), bounds, cached);
            synchronized (this) {
                if (entry.cached == cached) {
                    install(entry, next);
                } else {
                    next.close();
                }
            }
        }
        if (!makeRoom(0, entry)) {
            giveUp(entry);
        }
    }

    private void fill(CachedTable cached, Snapshot snapshot) {
        for (int i = 0; i < cached.size() && !isClosed(); i++) {
            long version = snapshot.version(cached.changes(), i);
            if (version != RangeChanges.UNKNOWN && !cached.isCurrent(i, version)) {
                BlockStore.Block block =
                        blocks.fill(cached.table(), cached.changes().range(i, i), snapshot);
                cached.put(i, new CachedBlock(block, blocks::drop), version);
            }
        }
    }

    /** The bounds, and more where a block has grown. */
    private List<Bytes> finerBounds(CachedTable cached) {
        List<Bytes> bounds = new ArrayList<>();
        for (int i = 0; i < cached.size(); i++) {
            if (cached.rowsOf(i) > (long) GROWTH_MAX * limits.blockRows()) {
                try (Snapshot snapshot = store.snapshot()) {
                    KeyRange range = cached.changes().range(i, i);
                    bounds.addAll(BlockBounds.of(
                                    snapshot, cached.table().table(), range, limits.blockRows(), limits.bytesMax())
                            .bounds());
                }
            }
            if (i < cached.bounds().size()) {
                bounds.add(cached.bounds().get(i));
            }
        }
        return bounds;
    }

    /** Lets go of what was not used for the longest time until there is room; false when that does not help. */
    private synchronized boolean makeRoom(long more, Entry keep) {
        List<Entry> oldest = entries.values().stream()
                .filter(entry -> entry != keep && entry.cached != null)
                .sorted(Comparator.comparingLong(entry -> entry.usedNanos))
                .toList();
        long total = entries.values().stream().mapToLong(Entry::bytes).sum() + more;
        for (Entry entry : oldest) {
            if (total > limits.bytesMax()) {
                total -= entry.bytes();
                forget(entry);
            }
        }
        return total <= limits.bytesMax();
    }

    /** Lets go of what nobody reads any more, dropped tables among it; comes again while something is left. */
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

    /** Waits for what is at work, which stops after its block. */
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
