package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.DelayedDurabilityStore;
import io.polytable.table.testkit.MemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cells are returned once everything that may show in them is durable, and only by the log's owner. */
class SafeAnswersTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Selection ALL = Selection.ALL;

    private final DelayedDurabilityStore store = new DelayedDurabilityStore(new MemoryStore());
    private CellStore cells;
    private CellTable table;

    @BeforeEach
    void open() {
        cells = released(() -> CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground()));
        table = released(() -> cells.create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F))));
        for (String row : new String[] {"a", "b", "c"}) {
            released(() -> table.write(put(row)));
        }
    }

    @AfterEach
    void close() {
        cells.close();
    }

    private static RowWrite put(String row) {
        return RowWrite.of(Bytes.utf8(row), new Edit.Put(F, F, Bytes.utf8("v")));
    }

    /** Runs an action while everything that it commits becomes durable. */
    private <T> T released(Supplier<T> action) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(action);
        Await.until("the action is done", () -> {
            store.release();
            return result.isDone();
        });
        return result.join();
    }

    @Test
    void aReadWaitsForTheWriteThatItSaw() {
        CompletableFuture<?> write = table.writeAsync(put("d"));
        CompletableFuture<?> read = table.getAsync(Bytes.utf8("d"), ALL);
        assertThat(write).isNotDone();
        assertThat(read).isNotDone();
        store.release();
        assertThat(write).isCompleted();
        assertThat(read).isCompleted();
    }

    @Test
    void aStepOfAScanWaitsUntilItsOwnerIsKnownToBeCurrent() throws Exception {
        try (CellScanner scanner = table.scan(ScanRequest.of(RowRange.ALL, ALL))) {
            assertThat(scanner.next(StepLimit.of(1, 1 << 20)).rows()).hasSize(1);
            store.hold();
            CompletableFuture<ScanStep> step = new CompletableFuture<>();
            Thread reader = new Thread(() -> step.complete(scanner.next(StepLimit.of(1, 1 << 20))));
            reader.start();
            Await.until("the step waits", () -> reader.getState() == Thread.State.WAITING);
            assertThat(step).isNotDone();
            store.release();
            reader.join();
            assertThat(step.join().rows()).hasSize(1);
            store.hold();
            store.fail();
            assertThatThrownBy(() -> scanner.next(StepLimit.of(1, 1 << 20))).isInstanceOf(CellException.class);
        }
    }
}
