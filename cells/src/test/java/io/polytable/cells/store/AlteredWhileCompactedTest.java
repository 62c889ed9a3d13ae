package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.testkit.Await;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A compaction applies the definition that is current when it removes a cell, not the one at its start. */
class AlteredWhileCompactedTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes ROW = Bytes.utf8("row");

    /** Stops one thread when it first reads the clock, until the change is made or waits for that thread. */
    private static final class StoppingClock implements InstantSource {
        private final AtomicReference<Thread> stopped = new AtomicReference<>();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final AtomicReference<Thread> changing = new AtomicReference<>();
        private final AtomicBoolean changed = new AtomicBoolean();

        @Override
        public Instant instant() {
            if (stopped.compareAndSet(Thread.currentThread(), null)) {
                reached.countDown();
                Await.until("the definition is changed or its change waits", () -> changed.get() || isWaiting());
            }
            return Instant.ofEpochMilli(1_000);
        }

        private boolean isWaiting() {
            Thread thread = changing.get();
            return thread != null
                    && (thread.getState() == Thread.State.BLOCKED || thread.getState() == Thread.State.WAITING);
        }
    }

    private static CellTableSpec keeping(int versions) {
        return CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F).withVersions(0, versions));
    }

    private static void put(CellTable table, long... timestamps) {
        for (long timestamp : timestamps) {
            table.write(RowWrite.of(ROW, new Edit.Put(F, F, timestamp, Bytes.utf8("at " + timestamp))));
        }
    }

    @Test
    void versionsThatAreKeptByNowStay() throws Exception {
        StoppingClock clock = new StoppingClock();
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try (OpenStores stores = OpenStores.inMemory(clock)) {
            CellTable table = stores.cells().create(keeping(1));
            put(table, 1, 2);
            Future<?> compaction = executor.submit(() -> {
                clock.stopped.set(Thread.currentThread());
                stores.cells().compact(table.name(), false);
            });
            Await.opened(clock.reached);
            Future<?> alteration = executor.submit(() -> {
                clock.changing.set(Thread.currentThread());
                stores.cells().alter(keeping(5));
                put(table, 3, 4);
                clock.changed.set(true);
            });
            compaction.get();
            alteration.get();
            assertThat(table.get(ROW, Selection.ALL.withMaxVersions(5)).cells())
                    .extracting(cell -> cell.timestamp())
                    .startsWith(4L, 3L);
        } finally {
            executor.shutdownNow();
        }
    }
}
