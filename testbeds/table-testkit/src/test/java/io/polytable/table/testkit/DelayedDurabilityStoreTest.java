package io.polytable.table.testkit;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.table.Commit;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DelayedDurabilityStoreTest {
    private final DelayedDurabilityStore store = new DelayedDurabilityStore(new MemoryStore());
    private final Table table = store.create(Rows.spec("t"));

    private Commit put(String row) {
        return store.commit(new Batch().put(table, key(row), value("v")));
    }

    @Test
    void aCommitIsVisibleAtOnceAndDurableWhenReleased() {
        Commit first = put("a/1");
        CompletableFuture<Void> durable = first.durable().toCompletableFuture();
        assertThat(store.read(table, key("a/1"))).contains(value("v"));
        assertThat(first.isDurable()).isFalse();
        assertThat(durable).isNotDone();
        assertThat(store.held()).isEqualTo(1);
        store.release();
        Commit second = put("a/2");
        assertThat(first.isDurable()).isTrue();
        assertThat(durable).isCompleted();
        assertThat(second.isDurable()).isFalse();
        assertThat(store.latest().isDurable()).isFalse();
        store.release();
        assertThat(store.latest().durable().toCompletableFuture()).isCompleted();
    }

    @Test
    void aFailedLogNeverBecomesDurable() {
        Commit kept = put("a/1");
        store.release();
        Commit lost = put("a/2");
        CompletableFuture<Void> durable = lost.durable().toCompletableFuture();
        store.fail();
        assertThat(durable).isCompletedExceptionally();
        assertThat(lost.durable().toCompletableFuture()).isCompletedExceptionally();
        assertThat(kept.isDurable()).isTrue();
        assertThat(catchThrowableOfType(StoreException.class, () -> put("a/3")).error())
                .isEqualTo(StoreError.FAILED);
    }

    @Test
    void aFeedShowsOnlyWhatWasReleased() {
        put("a/1");
        try (ChangeFeed feed = store.changes(Set.of(table), Position.START)) {
            assertThat(feed.poll(10, Duration.ofMillis(1))).isEmpty();
            CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(
                    () -> feed.poll(10, Duration.ofSeconds(30)).size());
            store.release();
            assertThat(waiting.join()).isEqualTo(1);
        }
    }
}
