package io.polytable.store.engine;

import io.polytable.store.log.Threads;
import io.polytable.store.memory.RowMemory;
import io.polytable.store.merge.Source;
import io.polytable.store.state.State;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache warm-up after a start: reads all tables into memory, in the background, if memory is large enough for all of
 * them. They are then whole in memory again, as before the stop. If a change meanwhile could make a row stale, the
 * table is read again, a few times.
 */
final class Warmup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Warmup.class);

    /**
     * Only if the files take at most this fraction of memory: they are compressed, and rows in memory have overhead.
     */
    private static final int MEMORY_SHARE = 8;

    private static final int ROWS_AT_ONCE = 128;
    private static final int TRIES_MAX = 3;

    private final RowMemory memory;
    private final Appender appender;
    private final State state;
    private final Catalog catalog;
    private final Failure failure;
    private final Thread thread = new Thread(this::run, "polytable-warmup");
    private volatile boolean closed;

    Warmup(RowMemory memory, Appender appender, State state, Catalog catalog, Failure failure) {
        this.failure = failure;
        this.memory = memory;
        this.appender = appender;
        this.state = state;
        this.catalog = catalog;
        thread.setDaemon(true);
    }

    record Row(Bytes key, Bytes value) {}

    void start() {
        thread.start();
    }

    private void run() {
        try {
            if (state.property("rocksdb.estimate-live-data-size") <= memory.budgetBytes() / MEMORY_SHARE) {
                catalog.all().forEach(this::read);
            }
        } catch (RuntimeException e) {
            LOG.warn("Tables were not read into memory; they are read from files as they are needed", e);
        } catch (Error e) {
            LOG.error("The thread that reads tables into memory ends", e);
            failure.threadEnded(thread.getName(), e);
        }
    }

    private void read(EngineTable table) {
        try {
            for (int i = 0; i < TRIES_MAX && !closed && !memory.isWhole(table.id()); i++) {
                long stamp = memory.fillStamp();
                if (readAll(table, stamp)) {
                    appender.markWhole(table.id(), stamp);
                }
            }
        } catch (StoreException e) {
            // A table dropped meanwhile or damaged cannot be read; the others still can.
            if (!table.isDropped() && e.error() != StoreError.CORRUPT) {
                throw e;
            }
        }
    }

    private boolean readAll(EngineTable table, long stamp) {
        try (Source rows = state.scan(table.state(), KeyRange.ALL, Direction.FORWARD)) {
            List<Row> some = next(rows);
            while (!some.isEmpty() && !closed) {
                if (!appender.fillAll(stamp, table, some)) {
                    return false;
                }
                some = next(rows);
            }
        }
        return !closed;
    }

    private static List<Row> next(Source rows) {
        List<Row> some = new ArrayList<>(ROWS_AT_ONCE);
        while (some.size() < ROWS_AT_ONCE && rows.next()) {
            some.add(new Row(rows.key(), rows.value()));
        }
        return some;
    }

    @Override
    public void close() {
        closed = true;
        Threads.join(thread);
    }
}
