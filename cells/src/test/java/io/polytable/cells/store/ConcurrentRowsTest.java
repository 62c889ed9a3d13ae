package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.Condition;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.codec.BytesReader;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows are atomic for everybody while many threads write, compact and scan. */
class ConcurrentRowsTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes ROW = Bytes.utf8("row");
    private static final int THREADS = 4;
    private static final int TIMES = 150;

    @TempDir
    Path directory;

    @Test
    void rowsAreNeverSeenHalfWritten() throws Exception {
        try (OpenStores stores = OpenStores.onEngine(directory, InstantSource.system())) {
            CellTable table = stores.cells().create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));
            List<Callable<Void>> tasks = new ArrayList<>();
            AtomicBoolean done = new AtomicBoolean();
            for (int thread = 0; thread < THREADS; thread++) {
                tasks.add(writer(table, thread));
            }
            ExecutorService executor = Executors.newCachedThreadPool();
            try {
                Future<Void> reader = executor.submit(reader(table, done));
                Future<Void> compactor = executor.submit(() -> {
                    while (!done.get()) {
                        stores.cells().compact(table.name(), true);
                    }
                    return null;
                });
                for (Future<Void> writer : executor.invokeAll(tasks)) {
                    writer.get();
                }
                done.set(true);
                reader.get();
                compactor.get();
            } finally {
                done.set(true);
                executor.shutdownNow();
            }
            CellRow row = table.get(ROW, Selection.column(F, Bytes.utf8("count")));
            assertThat(new BytesReader(row.cells().get(0).value()).i64()).isEqualTo(THREADS * TIMES);
        }
    }

    /** Counts, writes a pair of equal cells, deletes the row of pairs, and takes a lock by a condition. */
    private static Callable<Void> writer(CellTable table, int thread) {
        return () -> {
            Bytes pair = Bytes.utf8("pair");
            Bytes lock = Bytes.utf8("lock");
            for (int i = 0; i < TIMES; i++) {
                table.write(RowWrite.of(ROW, new Edit.Increment(F, Bytes.utf8("count"), 1)));
                Bytes value = Bytes.utf8(thread + "." + i);
                table.write(RowWrite.of(
                        pair, new Edit.Put(F, Bytes.utf8("a"), value), new Edit.Put(F, Bytes.utf8("b"), value)));
                if (i % 10 == 0) {
                    table.write(RowWrite.of(pair, new Edit.DeleteRow(Cell.LATEST)));
                }
                RowWrite take = RowWrite.of(lock, new Edit.Put(F, F, value)).when(new Condition.Absent(F, F));
                if (table.write(take).applied()) {
                    assertThat(table.get(lock, Selection.ALL).value(F, F)).contains(value);
                    Condition mine = new Condition.Compares(F, F, Condition.Relation.EQUAL, value);
                    assertThat(table.write(RowWrite.of(lock, Edit.Delete.column(F, F, Cell.LATEST))
                                            .when(mine))
                                    .applied())
                            .isTrue();
                }
            }
            return null;
        };
    }

    private static Callable<Void> reader(CellTable table, AtomicBoolean done) {
        return () -> {
            while (!done.get()) {
                check(table.get(Bytes.utf8("pair"), Selection.ALL));
                try (CellScanner scanner =
                        table.scan(ScanRequest.of(RowRange.prefix(Bytes.utf8("p")), Selection.ALL))) {
                    scanner.next(StepLimit.of(10, 1 << 20)).rows().forEach(ConcurrentRowsTest::check);
                }
            }
            return null;
        };
    }

    private static void check(CellRow row) {
        assertThat(row.value(F, Bytes.utf8("a"))).isEqualTo(row.value(F, Bytes.utf8("b")));
    }
}
