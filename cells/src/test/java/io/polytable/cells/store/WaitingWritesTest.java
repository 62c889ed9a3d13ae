package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.WriteResult;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which writes wait under back-pressure, and on which thread they resume. */
class WaitingWritesTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final RowWrite PUT = RowWrite.of(F, new Edit.Put(F, F, F));

    /** Has space when told so, and reports it as the store does: on the thread that made the space. */
    private static final class FullStore extends ForwardingStore {
        private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
        private final BlockingQueue<Thread> writers = new LinkedBlockingQueue<>();
        private volatile boolean full;

        FullStore() {
            super(new MemoryStore());
        }

        @Override
        public boolean hasRoom() {
            return !full;
        }

        @Override
        public void whenRoom(Runnable action) {
            waiting.add(action);
        }

        @Override
        public Commit commit(Batch batch) {
            writers.add(Thread.currentThread());
            return super.commit(batch);
        }
    }

    private final FullStore store = new FullStore();
    private final CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground());
    private final CellTable table = cells.create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));

    @AfterEach
    void close() {
        cells.close();
        store.close();
    }

    private Runnable nextWaiting() throws InterruptedException {
        return Optional.ofNullable(store.waiting.poll(20, TimeUnit.SECONDS)).orElseThrow();
    }

    @Test
    void whoMakesRoomDoesNotWrite() throws Exception {
        store.writers.clear();
        store.full = true;
        CompletableFuture<WriteResult> written = table.writeAsync(PUT);
        // Other writes took the space, so it waits again.
        nextWaiting().run();
        Runnable again = nextWaiting();
        store.full = false;
        again.run();

        assertThat(written.get(20, TimeUnit.SECONDS).applied()).isTrue();
        assertThat(store.writers).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @Test
    void whatWaitedWhileTheTableWasEmptiedIsNotWritten() throws Exception {
        store.full = true;
        CompletableFuture<WriteResult> written = table.writeAsync(PUT);
        Runnable waiting = nextWaiting();
        cells.truncate(table.name());
        store.full = false;
        waiting.run();

        assertThatThrownBy(() -> written.get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        CellException.class,
                        refused -> assertThat(refused.error()).isEqualTo(CellError.NO_SUCH_TABLE));
        assertThat(table.get(F, Selection.ALL).isEmpty()).isTrue();
    }

    @Test
    void aThreadThatOthersWaitForDoesNotWaitForARow() throws Exception {
        CompletableFuture<Optional<CompletableFuture<WriteResult>>> tried = new CompletableFuture<>();
        store.stripes().lockEverything();
        try {
            Thread other = new Thread(() -> tried.complete(table.tryWriteAsync(PUT)));
            other.start();
            assertThat(tried.get(20, TimeUnit.SECONDS)).isEmpty();
        } finally {
            store.stripes().unlockEverything();
        }
        assertThat(table.tryWriteAsync(PUT).orElseThrow().join().applied()).isTrue();
    }
}
