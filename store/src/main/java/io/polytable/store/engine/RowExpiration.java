package io.polytable.store.engine;

import io.polytable.store.log.Threads;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.Expiry;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.deadline.DeadlineCheck;
import io.polytable.table.deadline.DeadlineIndex;
import io.polytable.table.deadline.DeadlineQueue;
import io.polytable.table.deadline.RowExpirer;
import io.polytable.table.deadline.StoredRows;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Row expiry: the index of deadlines, which exists from the first table with per-row deadlines on, and the background
 * thread, which runs from the first table with expiring rows on.
 */
final class RowExpiration implements StoredRows, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RowExpiration.class);
    private static final long TICK_MILLIS = 100;
    private static final int ROWS_PER_STEP = 500;
    private static final int ROWS_PER_TICK_MAX = 10_000;

    private final Engine engine;
    private final Catalog catalog;
    private final InstantSource clock;
    private final Failure failure;
    private final RowExpirer expirer;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private @Nullable Thread thread;
    private volatile boolean hasIndex;

    RowExpiration(Engine engine, Catalog catalog, InstantSource clock, Failure failure) {
        this.engine = engine;
        this.catalog = catalog;
        this.clock = clock;
        this.failure = failure;
        expirer = new RowExpirer(this, clock);
    }

    long nowMillis() {
        return clock.millis();
    }

    /** Hides expired rows. */
    List<Optional<Bytes>> shown(EngineTable table, List<RowKey> keys, List<Optional<Bytes>> stored) {
        return table.expiry().isNever() ? stored : table.expiry().shown(keys, stored, clock.millis());
    }

    InstantSource clock() {
        return clock;
    }

    /** Call after recovery: continues where the last process ended. */
    void start() {
        catalog.deadlines().ifPresent(this::indexIn);
        if (catalog.all().stream().anyMatch(table -> !table.expiry().isNever())) {
            begin();
        }
    }

    /** Call before a table is created: a table with per-row deadlines needs the index. */
    void prepare(Expiry expiry, Supplier<EngineTable> createIndex) {
        if (expiry.isByRow() && !hasIndex) {
            indexIn(catalog.deadlines().orElseGet(createIndex));
        }
    }

    void changed(EngineTable table) {
        if (!table.expiry().isNever()) {
            begin();
        }
    }

    private void indexIn(EngineTable index) {
        expirer.indexIn(
                new DeadlineIndex(index, id -> catalog.byId(id).map(table -> table)), new DeadlineQueue(engine, index));
        hasIndex = true;
    }

    Commit commit(Batch batch) {
        return expirer.commit(batch);
    }

    /** The number of rows missing from the index; {@code repair} adds their entries. */
    long missingEntries(boolean repair) {
        return catalog.deadlines()
                .map(index -> catalog.all().stream()
                        .filter(table -> table.expiry().isByRow())
                        .mapToLong(table -> new DeadlineCheck(this, index).run(table, repair))
                        .sum())
                .orElse(0L);
    }

    int removeExpired(int most) {
        return expirer.removeExpired(most);
    }

    @Override
    public Optional<Bytes> readStored(Table table, RowKey key) {
        return engine.readStored(EngineTable.of(table), key);
    }

    @Override
    public Cursor scanStored(Table table, KeyRange range, long limit) {
        return engine.scanStored(EngineTable.of(table), range, Direction.FORWARD, limit);
    }

    @Override
    public Commit commitStored(Batch batch) {
        return engine.commitStored(batch);
    }

    @Override
    public boolean hasRoom() {
        return engine.hasRoom();
    }

    @Override
    public List<Table> expiringByKey() {
        return catalog.all().stream()
                .filter(table -> table.expiry().isByKey())
                .<Table>map(table -> table)
                .toList();
    }

    private synchronized void begin() {
        if (thread == null && !isStopped()) {
            Thread started = new Thread(this::run, "polytable-expiry");
            started.setDaemon(true);
            started.start();
            thread = started;
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    private void run() {
        try {
            do {
                tick();
            } while (failure.get() == null && !stopped.await(TICK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure.threadEnded("polytable-expiry", e);
        }
    }

    private void tick() {
        try {
            int last = ROWS_PER_STEP;
            for (int done = 0; done < ROWS_PER_TICK_MAX && last >= ROWS_PER_STEP && !isStopped(); done += last) {
                last = expirer.removeExpired(ROWS_PER_STEP);
                if (last > 0) {
                    engine.flush();
                }
            }
        } catch (StoreException e) {
            // No space, a dropped table, or a failure that is reported elsewhere: the next tick tries again.
            LOG.debug("Expired rows could not be removed", e);
        }
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            stopped.countDown();
            running = thread;
        }
        if (running != null) {
            Threads.join(running);
        }
    }
}
