package io.polytable.frontend.answer;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.Commit;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.DelayedDurabilityStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AnswerGateTest {
    private final DelayedDurabilityStore store = new DelayedDurabilityStore(new MemoryStore());
    private final Table table = store.create(Rows.spec("t"));
    private final AnswerGate gate = new AnswerGate(store);
    private final List<String> events = new ArrayList<>();

    private void put(String row) {
        store.commit(new Batch().put(table, key(row), value("v")));
    }

    private void answer(Commit seen) {
        gate.whenSafe(seen, () -> events.add("sent"), reason -> events.add("dropped"));
    }

    @Test
    void aReaderWaitsForTheCommitOfAnotherThatItSaw() {
        put("a/1");
        Commit seen = gate.seen();
        assertThat(gate.isSafe(seen)).isFalse();
        answer(seen);
        assertThat(events).isEmpty();
        store.release();
        assertThat(gate.isSafe(seen)).isTrue();
        assertThat(events).containsExactly("sent");
    }

    @Test
    void anAnswerDoesNotWaitForLaterCommits() {
        put("a/1");
        Commit seen = gate.seen();
        store.release();
        put("a/2");
        answer(seen);
        assertThat(events).containsExactly("sent");
    }

    @Test
    void anAnswerIsDroppedWhenTheLogFails() {
        put("a/1");
        Commit seen = gate.seen();
        answer(seen);
        assertThat(gate.isLost(seen)).isFalse();
        store.fail();
        assertThat(events).containsExactly("dropped");
        assertThat(gate.isLost(seen)).isTrue();
        assertThatThrownBy(() -> gate.await(seen)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> AnswerGate.settle(seen)).isInstanceOf(StoreException.class);
    }

    @Test
    void aFutureCarriesTheAnswerOnceItIsSafe() {
        put("a/1");
        CompletableFuture<String> held = gate.whenSafe(gate.seen(), "held");
        assertThat(held).isNotDone();
        store.release();
        assertThat(held).isCompletedWithValue("held");
        assertThat(gate.whenSafe(gate.seen(), "at once")).isCompletedWithValue("at once");
        put("a/2");
        CompletableFuture<String> lost = gate.whenSafe(gate.seen(), "lost");
        store.fail();
        assertThat(lost).isCompletedExceptionally();
    }

    @Test
    void aThreadWaitsForItsAnswer() throws InterruptedException {
        put("a/1");
        Commit seen = gate.seen();
        CountDownLatch sent = new CountDownLatch(1);
        Thread waiting = new Thread(() -> {
            gate.await(seen);
            sent.countDown();
        });
        waiting.start();
        Await.until("the thread waits", () -> waiting.getState() == Thread.State.WAITING);
        assertThat(sent.getCount()).isEqualTo(1);
        store.release();
        Await.opened(sent);
        waiting.join();
    }
}
