package io.polytable.cells.store;

import io.polytable.cells.read.CellScanner;
import io.polytable.cells.read.RangeScanner;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.TableStore;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A table as of one moment. Its clock stands still, so that cells do not expire meanwhile. It holds resources of the
 * store: close it.
 */
public final class CellSnapshot extends TableReads implements AutoCloseable {
    private final LiveTable table;
    private final Snapshot snapshot;

    CellSnapshot(TableStore store, AnswerGate answers, InstantSource clock, LiveTable table, Snapshot snapshot) {
        super(store, answers, standing(clock.instant()));
        this.table = table;
        this.snapshot = snapshot;
    }

    private static InstantSource standing(Instant now) {
        return () -> now;
    }

    @Override
    LiveTable live() {
        return table;
    }

    @Override
    Reader reader() {
        return snapshot;
    }

    @Override
    CellScanner open(LiveTable live, ScanRequest request) {
        return new RangeScanner(live.through(snapshot, clock.millis()), request, () -> {});
    }

    @Override
    public void close() {
        snapshot.close();
    }
}
