package io.polytable.cells.tables;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellLimits;
import io.polytable.cells.CellScanner;
import io.polytable.cells.CellSnapshot;
import io.polytable.cells.CellTable;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.RowWrite;
import io.polytable.cells.ScanRequest;
import io.polytable.cells.WriteOutcome;
import io.polytable.cells.WriteResult;
import io.polytable.cells.read.RangeScanner;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.TableStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cell table over a physical one. */
final class TableCellTable extends TableReads implements CellTable {
    private final WritePath writes;
    private final CellTableSpec first;
    private volatile @Nullable LiveTable live;
    private volatile boolean written = true;

    TableCellTable(TableStore store, WritePath writes, LiveTable live) {
        super(store, writes.clock());
        this.writes = writes;
        this.live = live;
        first = live.spec();
    }

    @Override
    LiveTable live() {
        LiveTable now = live;
        if (now == null) {
            throw new CellException(CellError.NO_SUCH_TABLE, "The table was dropped", Map.of("table", first.name()));
        }
        return now;
    }

    /** The definition changed, or the cells lie in another physical table now. */
    void become(LiveTable next) {
        live = next;
    }

    void dropped() {
        live = null;
    }

    /** Whether there may be something new to compact. */
    boolean wasWritten() {
        return written;
    }

    void forgetWrites() {
        written = false;
    }

    @Override
    public CellTableSpec spec() {
        return live().spec();
    }

    @Override
    Reader reader() {
        return store;
    }

    @Override
    CellScanner open(LiveTable table, ScanRequest request) {
        RowRange range = request.range();
        boolean oneRow = !range.from().isEmpty() && range.to().equals(RowRange.after(range.from()));
        if (oneRow && !request.reversed()) {
            return new GuardedScanner(new RangeScanner(table.through(store, clock.millis()), request, () -> {}));
        }
        Snapshot snapshot = store.snapshot();
        try {
            return new GuardedScanner(
                    new RangeScanner(table.through(snapshot, clock.millis()), request, snapshot::close));
        } catch (RuntimeException e) {
            snapshot.close();
            throw e;
        }
    }

    @Override
    public CompletableFuture<WriteResult> writeAsync(RowWrite write) {
        return whenRoom(() -> writes.write(live(), write));
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> writeAllAsync(List<RowWrite> batch) {
        if (batch.size() > CellLimits.WRITES_PER_BATCH_MAX) {
            return CompletableFuture.failedFuture(new CellException(
                    CellError.TOO_LARGE, "A batch has too many writes", Map.of("writes", batch.size())));
        }
        return whenRoom(() -> writes.writeAll(live(), batch));
    }

    /** Writers wait before they take a stripe, and nobody's thread is blocked meanwhile. */
    private <T> CompletableFuture<T> whenRoom(Supplier<CompletableFuture<T>> action) {
        if (!written) {
            written = true;
        }
        if (store.hasRoom()) {
            return started(action);
        }
        CompletableFuture<Void> room = new CompletableFuture<>();
        store.whenRoom(() -> room.complete(null));
        return room.thenCompose(nothing -> started(action));
    }

    private static <T> CompletableFuture<T> started(Supplier<CompletableFuture<T>> action) {
        try {
            return action.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(StoreFailures.ofAny(e));
        }
    }

    @Override
    public CellSnapshot snapshot() {
        LiveTable table = live();
        return new TableCellSnapshot(store, clock, table, StoreFailures.translated(store::snapshot));
    }
}
