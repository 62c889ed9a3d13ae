package io.polytable.cells.tables;

import io.polytable.cells.CellException;
import io.polytable.cells.RowRange;
import io.polytable.cells.tables.definition.LiveTable;
import io.polytable.cells.tables.write.Nonces;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts all tables for ever, a step at a time with a pause in between: each step looks at a bounded number of cells of
 * one table and then it is the next table's turn. So the work it does is bounded however much there is. Steps that find
 * much garbage follow one another at once; tables that nobody wrote to are left alone for long.
 */
final class Background implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Background.class);

    /** A step that removed more than one of so many cells is followed by another one at once. */
    private static final int MUCH = 10;

    private static final int STEPS_AT_ONCE_MAX = 20;

    /** From the start of one walk over a table to the next, at least. */
    private static final long WALK_MILLIS = 60_000;

    /** So often also a table that nobody writes is walked over: its cells expire all the same. */
    private static final long IDLE_WALK_MILLIS = 6 * 60 * 60_000L;

    private final CellStoreOptions options;
    private final Compactor compactor;
    private final Nonces nonces;
    private final Supplier<List<TableCellTable>> tables;
    private final MarkerTimes markerTimes;
    private final ScheduledExecutorService thread;

    /** Where the walk over each table goes on. */
    private final Map<TableName, Walk> walks = new HashMap<>();

    private final Map<TableName, Long> walkedMillis = new HashMap<>();

    private int turn;
    private @Nullable ScheduledFuture<?> turns;

    /** When the delete markers of tables were last removed. */
    interface MarkerTimes {
        long lastMillis(TableName table);

        void removed(TableName table);
    }

    private record Walk(RowRange rest, boolean markers) {}

    Background(
            CellStoreOptions options,
            Compactor compactor,
            Nonces nonces,
            Supplier<List<TableCellTable>> tables,
            MarkerTimes markerTimes) {
        this.options = options;
        this.compactor = compactor;
        this.nonces = nonces;
        this.tables = tables;
        this.markerTimes = markerTimes;
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "cells-compaction");
            daemon.setDaemon(true);
            return daemon;
        });
    }

    void start() {
        long pause = options.compactionPause().toMillis();
        if (pause > 0) {
            turns = thread.scheduleWithFixedDelay(this::turn, pause, pause, TimeUnit.MILLISECONDS);
        }
    }

    /** One table's turn. A failure is logged and the table's turn comes again. */
    private void turn() {
        List<TableCellTable> all = tables.get();
        if (all.isEmpty()) {
            return;
        }
        turn = (turn + 1) % all.size();
        try {
            TableCellTable table = all.get(turn);
            if (isDue(table)) {
                step(table);
            }
        } catch (CellException | StoreException e) {
            LOG.debug("compaction goes on later", e);
        } catch (RuntimeException | Error e) {
            // Thrown out of here it would end the turns, and nobody would hear of it.
            LOG.error("compaction failed and goes on later", e);
        }
    }

    /** A walk is gone on with; a new one begins some time after the last one if there were writes, and now and then anyway. */
    private boolean isDue(TableCellTable table) {
        long last = walkedMillis.getOrDefault(table.name(), 0L);
        long since = options.clock().millis() - last;
        return walks.containsKey(table.name())
                || since > IDLE_WALK_MILLIS
                || (since > WALK_MILLIS && table.wasWritten());
    }

    /** Finishes the walk over every table, or makes a whole one. */
    void finishAll() {
        for (TableCellTable table : tables.get()) {
            do {
                step(table);
            } while (walks.containsKey(table.name()));
        }
    }

    private void step(TableCellTable table) {
        LiveTable live = table.live();
        TableName name = live.spec().name();
        Walk walk = walks.get(name);
        if (walk == null) {
            walk = begin(table, live);
        }
        for (int steps = 0; steps < STEPS_AT_ONCE_MAX; steps++) {
            Compactor.Pass pass = compactor.pass(table::live, walk.rest(), walk.markers(), options.compactionCells());
            if (pass.isDone()) {
                walks.remove(name);
                if (walk.markers()) {
                    markerTimes.removed(name);
                }
                return;
            }
            walk = new Walk(pass.rest(), walk.markers());
            walks.put(name, walk);
            if (pass.removed() * MUCH < pass.examined()) {
                return;
            }
        }
    }

    private Walk begin(TableCellTable table, LiveTable live) {
        long now = options.clock().millis();
        table.forgetWrites();
        walkedMillis.put(table.name(), now);
        nonces.forget(compactor.store(), live.physical(), now);
        boolean markers = now - markerTimes.lastMillis(table.name())
                > options.markerLife().toMillis();
        return new Walk(RowRange.ALL, markers);
    }

    @Override
    public void close() {
        if (turns != null) {
            turns.cancel(false);
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
                LOG.warn("compaction did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
