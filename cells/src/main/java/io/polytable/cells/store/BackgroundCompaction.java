package io.polytable.cells.store;

import io.polytable.cells.CellException;
import io.polytable.cells.RowRange;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.cells.store.write.Nonces;
import io.polytable.frontend.work.Background;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background thread that compacts all tables, one step at a time with a pause in between. A step examines a
 * bounded number of cells of one table, then it is the turn of the next table that is due, so its load is bounded
 * whatever the data size. Steps that find much garbage follow each other at once; tables without writes are skipped for hours.
 */
final class BackgroundCompaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundCompaction.class);

    /** A step that removed at least one in this many cells is followed by another one at once. */
    private static final int MUCH = 10;

    private static final int STEPS_AT_ONCE_MAX = 20;

    /** The minimum time from the start of one sweep of a table to the next. */
    private static final long SWEEP_MILLIS = 60_000;

    /** A table without writes is still compacted this often, since its cells expire. */
    private static final long IDLE_SWEEP_MILLIS = 6 * 60 * 60_000L;

    private final CellStoreOptions options;
    private final Compactor compactor;
    private final Nonces nonces;
    private final Supplier<List<CellTable>> tables;
    private final MarkerTimes markerTimes;
    private final Background background = new Background("cells-compaction", Duration.ofMinutes(1));

    /**
     * Where the current sweep of each table resumes. By handle, not by name, and weakly: a dropped table's entry goes
     * with it, and a new table of its name starts over.
     */
    private final Map<CellTable, Sweep> sweeps = new WeakHashMap<>();

    private final Map<CellTable, Long> sweptMillis = new WeakHashMap<>();

    private int turn;

    /** Remembers when a table's delete markers were last removed. */
    interface MarkerTimes {
        long lastMillis(TableName table);

        void removed(TableName table);
    }

    private record Sweep(RowRange rest, boolean markers) {}

    BackgroundCompaction(
            CellStoreOptions options,
            Compactor compactor,
            Nonces nonces,
            Supplier<List<CellTable>> tables,
            MarkerTimes markerTimes) {
        this.options = options;
        this.compactor = compactor;
        this.nonces = nonces;
        this.tables = tables;
        this.markerTimes = markerTimes;
    }

    void start() {
        Duration pause = options.compactionPause();
        if (!pause.isZero()) {
            background.after(pause, this::turn);
        }
    }

    /** Runs the turn of the next table that is due. A table that refuses gets another turn later. */
    void turn() {
        List<CellTable> all = tables.get();
        try {
            for (int looked = 0; looked < all.size(); looked++) {
                turn = (turn + 1) % all.size();
                CellTable table = all.get(turn);
                if (isDue(table)) {
                    step(table);
                    return;
                }
            }
        } catch (CellException | StoreException e) {
            LOG.debug("compaction continues later", e);
        }
    }

    /**
     * A sweep that has begun continues. A new one begins if there were writes, after a minimum interval, or after a
     * long time anyway.
     */
    private boolean isDue(CellTable table) {
        long last = sweptMillis.getOrDefault(table, 0L);
        long since = options.clock().millis() - last;
        return sweeps.containsKey(table) || since > IDLE_SWEEP_MILLIS || (since > SWEEP_MILLIS && table.wasWritten());
    }

    /** Finishes the sweep of every table; where none has begun, runs a whole one. */
    void finishAll() {
        for (CellTable table : tables.get()) {
            do {
                step(table);
            } while (sweeps.containsKey(table));
        }
    }

    private void step(CellTable table) {
        LiveTable live = table.live();
        Sweep sweep = sweeps.get(table);
        if (sweep == null) {
            sweep = begin(table, live);
        }
        for (int steps = 0; steps < STEPS_AT_ONCE_MAX; steps++) {
            Compactor.Pass pass = compactor.pass(table::live, sweep.rest(), sweep.markers(), options.compactionCells());
            if (pass.isDone()) {
                sweeps.remove(table);
                if (sweep.markers()) {
                    markerTimes.removed(table.name());
                }
                return;
            }
            sweep = new Sweep(pass.rest(), sweep.markers());
            sweeps.put(table, sweep);
            if (pass.removed() * MUCH < pass.examined()) {
                return;
            }
        }
    }

    private Sweep begin(CellTable table, LiveTable live) {
        long now = options.clock().millis();
        table.forgetWrites();
        sweptMillis.put(table, now);
        nonces.forget(compactor.store(), live.physical(), now);
        boolean markers = now - markerTimes.lastMillis(table.name())
                > options.markerLife().toMillis();
        return new Sweep(RowRange.ALL, markers);
    }

    @Override
    public void close() {
        background.close();
    }
}
