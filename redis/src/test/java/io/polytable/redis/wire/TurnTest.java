package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.node.Statistics;
import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.DelayedDurabilityStore;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What an event loop does in a turn: fair to all, one write to the log, and no reply before what it tells is safe. */
class TurnTest {
    private static final int REQUESTS = 5_000;

    /** Counts how often the log is written. */
    private static final class CountingStore extends ForwardingStore {
        private final AtomicLong commits = new AtomicLong();

        CountingStore() {
            super(new DelayedDurabilityStore(new MemoryStore()));
        }

        private DelayedDurabilityStore held() {
            return (DelayedDurabilityStore) beneath();
        }

        @Override
        public Commit commit(Batch batch) {
            commits.incrementAndGet();
            return super.commit(batch);
        }

        @Override
        public void flush() {
            super.flush();
            held().release();
        }
    }

    @Test
    void writesTheLogOnceATurn() {
        CountingStore store = new CountingStore();
        try (FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            TestClient client = face.connect();
            client.call("ping");
            long commits = store.commits.get();
            Statistics.Totals before = face.face().statistics().totals();
            client.sendRaw(TestClient.request("set", "k", "v").repeat(REQUESTS));
            client.read(REQUESTS);
            client.call("ping");
            Statistics.Totals after = face.face().statistics().totals();
            assertThat(store.commits.get() - commits).isGreaterThanOrEqualTo(REQUESTS);
            long flushes = after.flushes() - before.flushes();
            assertThat(flushes).isBetween(1L, after.turns() - before.turns());
            // A read takes at most 64 KiB, which are some two thousand of these requests.
            assertThat(flushes).isLessThan(REQUESTS / 10);
        }
    }

    @Test
    void isFairToWhoAsksLittle() throws InterruptedException {
        try (FaceUnderTest face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP)) {
            TestClient busy = face.connect();
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong sent = new AtomicLong();
            Thread sender = new Thread(() -> {
                String requests = TestClient.request("incr", "n").repeat(1_000);
                while (!stop.get()) {
                    busy.sendRaw(requests);
                    sent.addAndGet(1_000);
                }
            });
            AtomicLong read = new AtomicLong();
            Thread reader = new Thread(() -> {
                while (!stop.get() || read.get() < sent.get()) {
                    busy.read();
                    read.incrementAndGet();
                }
            });
            reader.start();
            sender.start();
            TestClient modest = face.connect();
            for (int i = 0; i < 100; i++) {
                assertThat(modest.call("ping")).isEqualTo("+PONG");
            }
            stop.set(true);
            sender.join();
            reader.join();
            assertThat(modest.call("get", "n")).endsWith(" " + sent.get());
        }
    }

    @Test
    void holdsRepliesUntilTheyAreDurable() {
        DelayedDurabilityStore store = new DelayedDurabilityStore(new MemoryStore());
        try (FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            store.release();
            TestClient writer = face.connect();
            TestClient other = face.connect();
            assertThat(other.call("get", "k")).isEqualTo("$-1");
            writer.sendRaw(TestClient.request("set", "k", "1") + TestClient.request("incr", "k"));
            awaitHeld(store);
            // It has seen what is not durable: its answer waits too, and behind it everything of its own.
            other.sendRaw(TestClient.request("get", "k") + TestClient.request("ping"));
            writer.send("incr", "k");
            assertThat(writer.hasReply()).isFalse();
            assertThat(other.hasReply()).isFalse();
            assertThat(readReleased(store, writer)).isEqualTo("+OK");
            assertThat(readReleased(store, writer)).isEqualTo(":2");
            assertThat(readReleased(store, writer)).isEqualTo(":3");
            assertThat(readReleased(store, other)).isIn("$1 2", "$1 3");
            assertThat(readReleased(store, other)).isEqualTo("+PONG");
        }
    }

    @Test
    void livesOnWhenAClientLeavesWhileItsRepliesAreHeld() {
        DelayedDurabilityStore store = new DelayedDurabilityStore(new MemoryStore());
        try (FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            store.release();
            TestClient gone = face.connect();
            gone.send("set", "k", "1");
            awaitHeld(store);
            gone.close();
            TestClient next = face.connect();
            next.send("get", "k");
            assertThat(readReleased(store, next)).isEqualTo("$1 1");
            FaceUnderTest.await(() -> face.face().clients().count() == 1);
        }
    }

    @Test
    void closesWhoWaitsForWhatIsLost() {
        DelayedDurabilityStore store = new DelayedDurabilityStore(new MemoryStore());
        try (FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            store.release();
            TestClient client = face.connect();
            client.send("set", "k", "1");
            awaitHeld(store);
            store.fail();
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    /** Its log cannot be written any more once it is told so. */
    private static final class FailingStore extends ForwardingStore {
        private volatile boolean fails;

        FailingStore() {
            super(new DelayedDurabilityStore(new MemoryStore()));
        }

        @Override
        public void flush() {
            if (fails) {
                throw new StoreException(StoreError.FAILED, "The log failed");
            }
            ((DelayedDurabilityStore) beneath()).release();
        }
    }

    @Test
    void aLogThatCannotBeWrittenClosesTheConnectionsAndNotTheLoop() {
        FailingStore store = new FailingStore();
        try (FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            TestClient writer = face.connect();
            TestClient idle = face.connect();
            assertThat(writer.call("set", "k", "1")).isEqualTo("+OK");
            assertThat(idle.call("ping")).isEqualTo("+PONG");
            store.fails = true;
            writer.send("set", "k", "2");
            assertThat(writer.isClosedByServer()).isTrue();
            assertThat(idle.isClosedByServer()).isTrue();
            // The loop lives: it takes the next one, and closes it without a reply too.
            TestClient next = face.connect();
            next.send("get", "k");
            assertThat(next.isClosedByServer()).isTrue();
            FaceUnderTest.await(() -> face.face().clients().count() == 0);
        }
    }

    private static void awaitHeld(DelayedDurabilityStore store) {
        FaceUnderTest.await(() -> store.held() > 0);
    }

    /** More may be committed after a release, by this client or in the background. */
    private static String readReleased(DelayedDurabilityStore store, TestClient client) {
        FaceUnderTest.await(() -> {
            store.release();
            return client.hasReply();
        });
        return client.read();
    }
}
