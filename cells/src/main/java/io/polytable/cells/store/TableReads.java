package io.polytable.cells.store;

import io.polytable.cells.CellRow;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.read.RowReads;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.cells.store.definition.StoreFailures;
import io.polytable.cells.store.write.WriteChecks;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Reader;
import io.polytable.table.TableStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads of a cell table through a reader. A read returns once everything it saw is safe, as {@link AnswerGate} defines it. */
abstract class TableReads implements CellReads {
    /** Fewer rows are read one by one: a cursor over several needs a snapshot, which costs more. */
    private static final int ROWS_OF_A_CURSOR_MIN = 4;

    final TableStore store;
    final AnswerGate answers;
    final InstantSource clock;

    TableReads(TableStore store, AnswerGate answers, InstantSource clock) {
        this.store = store;
        this.answers = answers;
        this.clock = clock;
    }

    abstract LiveTable live();

    abstract Reader reader();

    /** Opens a scan, with a snapshot of its own if the reader is not one; it is closed with the scan. */
    abstract CellScanner open(LiveTable table, ScanRequest request);

    @Override
    public CellRow get(Bytes row, Selection selection) {
        CellRow found = read(live(), row, selection);
        awaitSafe();
        return found;
    }

    @Override
    public CompletableFuture<CellRow> getAsync(Bytes row, Selection selection) {
        try {
            return whenSafe(read(live(), row, selection));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Optional<CellRow>> getBrief(Bytes row, Selection selection) {
        try {
            WriteChecks.checkRow(row);
            LiveTable table = live();
            return whenSafe(StoreFailures.translated(
                    () -> RowReads.readBrief(table.through(reader(), clock.millis()), row, selection)));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public List<CellRow> getAll(List<Bytes> rows, Selection selection) {
        List<CellRow> found = readAll(rows, selection);
        awaitSafe();
        return found;
    }

    @Override
    public CompletableFuture<List<CellRow>> getAllAsync(List<Bytes> rows, Selection selection) {
        try {
            return whenSafe(readAll(rows, selection));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public List<Optional<CellRow>> getSome(List<Bytes> rows, Selection selection, long bytesMax) {
        if (!sharesCursor(rows, selection)) {
            return CellReads.super.getSome(rows, selection, bytesMax);
        }
        List<Optional<CellRow>> found = readTogether(rows, selection, bytesMax);
        awaitSafe();
        return found;
    }

    /** A filter may keep state across rows, so it must see them in the order of the request. */
    private static boolean sharesCursor(List<Bytes> rows, Selection selection) {
        return rows.size() >= ROWS_OF_A_CURSOR_MIN && selection.filter().isEmpty();
    }

    private List<Optional<CellRow>> readTogether(List<Bytes> rows, Selection selection, long bytesMax) {
        LiveTable table = live();
        rows.forEach(WriteChecks::checkRow);
        return StoreFailures.translated(
                () -> RowReads.readAll(table.through(reader(), clock.millis()), rows, selection, bytesMax));
    }

    private List<CellRow> readAll(List<Bytes> rows, Selection selection) {
        List<CellRow> found = new ArrayList<>(rows.size());
        if (sharesCursor(rows, selection)) {
            readTogether(rows, selection, Long.MAX_VALUE).forEach(row -> found.add(row.orElseThrow()));
            return found;
        }
        LiveTable table = live();
        for (Bytes row : rows) {
            found.add(read(table, row, selection));
        }
        return found;
    }

    private CellRow read(LiveTable table, Bytes row, Selection selection) {
        WriteChecks.checkRow(row);
        return StoreFailures.translated(() -> RowReads.read(table.through(reader(), clock.millis()), row, selection));
    }

    @Override
    public CellScanner scan(ScanRequest request) {
        LiveTable table = live();
        CellScanner scanner = StoreFailures.translated(() -> open(table, request));
        GatedScanner gated = new GatedScanner(scanner, answers, answers.seen());
        try {
            gated.awaitSafe();
            return gated;
        } catch (RuntimeException | Error lost) {
            gated.close();
            throw lost;
        }
    }

    private void awaitSafe() {
        Commit seen = answers.seen();
        if (!answers.isSafe(seen)) {
            StoreFailures.run(() -> answers.await(seen));
        }
    }

    private <T> CompletableFuture<T> whenSafe(T answer) {
        return StoreFailures.translated(answers.whenSafe(answers.seen(), answer));
    }
}
