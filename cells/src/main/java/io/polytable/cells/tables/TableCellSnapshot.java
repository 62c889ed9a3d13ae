package io.polytable.cells.tables;

import io.polytable.cells.read.RangeScanner;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.store.CellScanner;
import io.polytable.cells.store.CellSnapshot;
import io.polytable.cells.tables.definition.LiveTable;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.TableStore;
import java.time.Instant;
import java.time.InstantSource;

/** A cell table in a snapshot of the store. Its clock stands still, so that cells do not expire meanwhile. */
final class TableCellSnapshot extends TableReads implements CellSnapshot {
    private final LiveTable table;
    private final Snapshot snapshot;

    TableCellSnapshot(TableStore store, AnswerGate answers, InstantSource clock, LiveTable table, Snapshot snapshot) {
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
