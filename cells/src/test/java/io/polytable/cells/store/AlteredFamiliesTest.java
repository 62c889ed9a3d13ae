package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.FaultPlan;
import io.polytable.table.testkit.FaultyStore;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Families that are added and removed: what that costs, and that a removed family's cells stay away. */
class AlteredFamiliesTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes G = Bytes.utf8("g");
    private static final TableName NAME = new TableName("default", "t");
    private static final int ROWS = 50;

    private static CellStore opened(TableStore store) {
        return CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground());
    }

    private static CellTableSpec with(Bytes... families) {
        return CellTableSpec.of(NAME, FamilySpec.of(F))
                .withFamilies(List.of(families).stream().map(FamilySpec::of).toList());
    }

    private static void fill(CellTable table, Bytes family) {
        for (int i = 0; i < ROWS; i++) {
            table.write(RowWrite.of(Bytes.utf8("row" + i), new Edit.Put(family, F, 1, F)));
        }
    }

    @Test
    void aNewFamilyDoesNotReadTheTable() {
        FaultPlan calls = FaultPlan.none();
        try (TableStore store = new FaultyStore(new MemoryStore(), calls);
                CellStore cells = opened(store)) {
            fill(cells.create(with(F)), F);
            long before = calls.calls();
            cells.alter(with(F, G));
            assertThat(calls.calls() - before).isLessThan(ROWS);
        }
    }

    /** Removes a family with a failure at each call in turn, as a crash would leave it. */
    @Test
    void aFamilyThatIsAddedAgainIsEmpty() {
        boolean failed = true;
        for (int call = 1; failed; call++) {
            try (TableStore store = new MemoryStore()) {
                try (CellStore cells = opened(store)) {
                    fill(cells.create(with(F, G)), G);
                }
                failed = isRemovalFailing(new FaultyStore(store, FaultPlan.at(call)));
                try (CellStore cells = opened(store)) {
                    boolean removed = cells.table(NAME).spec().family(G).isEmpty();
                    cells.copy(NAME, new TableName("default", "copy"));
                    for (CellTable table : cells.tables()) {
                        CellTable again = cells.alter(with(F, G).withName(table.name()));
                        assertThat(again.get(Bytes.utf8("row7"), Selection.ALL.asRaw())
                                        .isEmpty())
                                .as("%s, failure at call %d", table.name(), call)
                                .isEqualTo(removed);
                    }
                }
            }
        }
    }

    private static boolean isRemovalFailing(TableStore store) {
        try (CellStore cells = opened(store)) {
            cells.alter(with(F));
            return false;
        } catch (CellException | StoreException planned) {
            return true;
        }
    }

    @Test
    void aCopyOfAStoreThatFailsIsRefusedWithACellException() {
        TableStore store = new MemoryStore();
        try (CellStore cells = opened(store)) {
            cells.create(with(F));
            store.close();
            assertThatThrownBy(() -> cells.save(NAME, "saved")).isInstanceOf(CellException.class);
        }
    }

    /** It would take the space of a whole table until the next start, and each retry as much again. */
    @Test
    void aCopyThatFailsLeavesNothing() {
        AtomicBoolean full = new AtomicBoolean();
        try (TableStore store = new ForwardingStore(new MemoryStore()) {
                    @Override
                    public Commit commit(Batch batch) {
                        if (full.get()) {
                            throw new StoreException(StoreError.NO_ROOM, "The disk is full");
                        }
                        return super.commit(batch);
                    }
                };
                CellStore cells = opened(store)) {
            fill(cells.create(with(F)), F);
            int before = store.tables().size();
            full.set(true);
            assertThatThrownBy(() -> cells.save(NAME, "saved")).isInstanceOf(CellException.class);
            assertThat(store.tables()).hasSize(before);
        }
    }

    /** A family that is added again needs a compaction; other tables do not wait for it. */
    @Test
    void otherTablesChangeDuringTheCompactionForAFamily() throws Exception {
        StoppingClock clock = new StoppingClock();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (TableStore store = new MemoryStore();
                CellStore cells = CellStore.open(
                        store, CellStoreOptions.DEFAULT.withoutBackground().withClock(clock))) {
            fill(cells.create(with(F, G)), G);
            cells.alter(with(F));
            Future<CellTable> altering = executor.submit(() -> {
                clock.stop();
                return cells.alter(with(F, G));
            });
            clock.awaitStopped();
            CellTableSpec other = with(F).withName(new TableName("default", "other"));
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> cells.create(other));
            assertThat(altering).isNotDone();
            clock.release();
            assertThat(altering.get(20, TimeUnit.SECONDS)
                            .get(Bytes.utf8("row7"), Selection.ALL.asRaw())
                            .isEmpty())
                    .isTrue();
        } finally {
            clock.release();
            executor.shutdownNow();
        }
    }

    /** Stops the thread that asks for it when that thread next reads the clock. */
    private static final class StoppingClock implements InstantSource {
        private final AtomicReference<Thread> stops = new AtomicReference<>();
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public Instant instant() {
            if (stops.compareAndSet(Thread.currentThread(), null)) {
                stopped.countDown();
                try {
                    released.await();
                } catch (InterruptedException ended) {
                    throw new IllegalStateException(ended);
                }
            }
            return Instant.ofEpochMilli(1_000);
        }

        void stop() {
            stops.set(Thread.currentThread());
        }

        void awaitStopped() throws InterruptedException {
            assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
        }

        void release() {
            released.countDown();
        }
    }
}
