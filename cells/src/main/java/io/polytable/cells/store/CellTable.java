package io.polytable.cells.store;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellLimits;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.read.RangeScanner;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.WriteOutcome;
import io.polytable.cells.request.WriteResult;
import io.polytable.cells.store.definition.Definition;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.cells.store.definition.StoreFailures;
import io.polytable.cells.store.write.WritePath;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table of cells: (row, family, qualifier, timestamp) to value, newest version first.
 *
 * <p>A write is visible to reads on any thread before its future completes. The future completes when the write is
 * durable, so a server waits for it before it replies. {@code write} and {@code writeAll} wait themselves. A handle
 * stays valid until the table is dropped, through every {@link CellStore#alter}.
 */
public final class CellTable extends TableReads {
    private final WritePath writes;
    private final TableName name;
    private volatile @Nullable Shown shown;
    private volatile boolean written = true;

    /** The definition and, if this version can read it, the table behind it. */
    private record Shown(Definition definition, Optional<LiveTable> live) {
        static Shown of(Definition definition, Table physical) {
            return new Shown(
                    definition,
                    definition.isReadable() ? Optional.of(LiveTable.of(definition, physical)) : Optional.empty());
        }
    }

    CellTable(TableStore store, AnswerGate answers, WritePath writes, Definition definition, Table physical) {
        super(store, answers, writes.clock());
        this.writes = writes;
        name = definition.spec().name();
        shown = Shown.of(definition, physical);
    }

    private Shown shown() {
        Shown now = shown;
        if (now == null) {
            throw new CellException(CellError.NO_SUCH_TABLE, "The table was dropped", Map.of("table", name));
        }
        return now;
    }

    @Override
    LiveTable live() {
        Shown now = shown();
        return now.live().orElseThrow(() -> LiveTable.unreadable(now.definition()));
    }

    /** False for a table in a layout that only older versions could read, which can only be dropped. */
    boolean isReadable() {
        return shown().live().isPresent();
    }

    /** Call when the definition or the physical table has changed. */
    void redefine(Definition definition, Table physical) {
        shown = Shown.of(definition, physical);
    }

    void dropped() {
        shown = null;
    }

    /** Whether there were writes since the last compaction began. */
    boolean wasWritten() {
        return written;
    }

    void forgetWrites() {
        written = false;
    }

    public CellTableSpec spec() {
        return shown().definition().spec();
    }

    @Override
    Reader reader() {
        return store;
    }

    /** Uses a snapshot even for one row: a cursor without one would keep rows in memory from being evicted. */
    @Override
    CellScanner open(LiveTable table, ScanRequest request) {
        Snapshot snapshot = store.snapshot();
        try {
            return new RangeScanner(table.through(snapshot, clock.millis()), request, snapshot::close);
        } catch (RuntimeException | Error e) {
            snapshot.close();
            throw e;
        }
    }

    public CompletableFuture<WriteResult> writeAsync(RowWrite write) {
        return whenRoom(table -> writes.write(table, write));
    }

    /**
     * As {@link #writeAsync}, but empty, with nothing written, if the calling thread would need to wait for other
     * writers or process a large value: for event loops.
     */
    public Optional<CompletableFuture<WriteResult>> tryWriteAsync(RowWrite write) {
        written();
        try {
            LiveTable table = live();
            return store.hasRoom()
                    ? writes.tryWrite(table, write)
                    : Optional.of(afterOthers(table, now -> writes.write(now, write)));
        } catch (RuntimeException e) {
            return Optional.of(CompletableFuture.failedFuture(StoreFailures.ofAny(e)));
        }
    }

    /**
     * As {@link #writeAllAsync(List)}, with a budget for the cells that writes return. Each returned cell is deducted
     * from it; once it is used up, further writes that would return cells are not applied and fail with {@link
     * CellError#ANSWERED_ENOUGH}.
     */
    public CompletableFuture<List<WriteOutcome>> writeAllAsync(List<RowWrite> batch, AtomicLong answerBytesLeft) {
        if (batch.size() > CellLimits.WRITES_PER_BATCH_MAX) {
            return CompletableFuture.failedFuture(new CellException(
                    CellError.TOO_LARGE, "A batch has too many writes", Map.of("writes", batch.size())));
        }
        return whenRoom(table -> writes.writeAll(table, batch, answerBytesLeft));
    }

    /** Lets background compaction know that there is something to do. */
    void written() {
        if (!written) {
            written = true;
        }
    }

    /**
     * Back-pressure: writes wait for space before they take a stripe, without blocking a thread. They resume on an
     * executor of their own, since the thread that reports space is the one that makes it.
     */
    private <T> CompletableFuture<T> whenRoom(Function<LiveTable, CompletableFuture<T>> action) {
        written();
        try {
            LiveTable table = live();
            return store.hasRoom() ? action.apply(table) : afterOthers(table, action);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(StoreFailures.ofAny(e));
        }
    }

    private <T> CompletableFuture<T> afterOthers(LiveTable before, Function<LiveTable, CompletableFuture<T>> action) {
        CompletableFuture<Void> room = new CompletableFuture<>();
        store.whenRoom(() -> room.complete(null));
        return room.thenComposeAsync(nothing -> whenRoom(table -> action.apply(same(before, table))), writes::resume);
    }

    /** A write that waited across a truncation must not go to the new rows. */
    private static LiveTable same(LiveTable before, LiveTable now) {
        if (before.physical().id() != now.physical().id()) {
            throw new CellException(
                    CellError.NO_SUCH_TABLE,
                    "The table's rows were replaced",
                    Map.of("table", now.spec().name()));
        }
        return now;
    }

    /** A snapshot of the current state. */
    public CellSnapshot snapshot() {
        LiveTable table = live();
        return new CellSnapshot(store, answers, clock, table, StoreFailures.translated(store::snapshot));
    }

    public TableName name() {
        return spec().name();
    }

    /** One outcome for each write, in order; each row write is atomic, the batch is not. */
    public CompletableFuture<List<WriteOutcome>> writeAllAsync(List<RowWrite> writes) {
        return writeAllAsync(writes, new AtomicLong(CellLimits.ROW_READ_BYTES_MAX));
    }

    public WriteResult write(RowWrite write) {
        return join(writeAsync(write));
    }

    public List<WriteOutcome> writeAll(List<RowWrite> writes) {
        return join(writeAllAsync(writes));
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
