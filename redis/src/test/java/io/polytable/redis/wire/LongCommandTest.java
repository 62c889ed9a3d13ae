package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that take long run beside the event loop: others are served meanwhile, and replies keep their order. */
@Timeout(60)
class LongCommandTest {
    /** Scans wait, once it is told so, until they are let go. */
    private static final class SlowStore extends ForwardingStore {
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private final CountDownLatch reached = new CountDownLatch(1);

        SlowStore(TableStore beneath) {
            super(beneath);
        }

        @Override
        public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
            await();
            return super.scan(table, range, direction, limit);
        }

        @Override
        public Snapshot snapshot() {
            await();
            return new SlowSnapshot(super.snapshot());
        }

        private final class SlowSnapshot implements Snapshot {
            private final Snapshot beneath;

            SlowSnapshot(Snapshot beneath) {
                this.beneath = beneath;
            }

            @Override
            public Position position() {
                return beneath.position();
            }

            @Override
            public ChangeFeed changes(Set<Table> tables) {
                return beneath.changes(tables);
            }

            @Override
            public Optional<Bytes> read(Table table, RowKey key) {
                return beneath.read(table, key);
            }

            @Override
            public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
                SlowStore.this.await();
                return beneath.scan(table, range, direction, limit);
            }

            @Override
            public long version(RangeChanges changes, int range) {
                return beneath.version(changes, range);
            }

            @Override
            public void close() {
                beneath.close();
            }
        }

        private void await() {
            if (!Thread.currentThread().getName().startsWith("redis-")) {
                return;
            }
            if (gate.getCount() > 0) {
                reached.countDown();
            }
            try {
                assertThat(gate.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void othersAreServedMeanwhileAndRepliesKeepTheirOrder() throws InterruptedException {
        SlowStore store = new SlowStore(new MemoryStore());
        try (FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            TestClient walker = face.connect();
            TestClient other = face.connect();
            assertThat(walker.call("set", "k", "v")).isEqualTo("+OK");
            CountDownLatch gate = new CountDownLatch(1);
            store.gate = gate;
            walker.sendRaw(TestClient.request("set", "l", "w")
                    + TestClient.request("keys", "*")
                    + TestClient.request("get", "k")
                    + TestClient.request("set", "m", "x"));
            assertThat(store.reached.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(other.call("get", "l")).isEqualTo("$1 w");
            assertThat(other.call("get", "m")).as("behind the long command").isEqualTo("$-1");
            gate.countDown();
            assertThat(walker.read()).isEqualTo("+OK");
            assertThat(walker.read()).startsWith("*2 ").contains("k").contains("l");
            assertThat(walker.read()).isEqualTo("$1 v");
            assertThat(walker.read()).isEqualTo("+OK");
            assertThat(other.call("get", "m")).isEqualTo("$1 x");
        }
    }

    /** After a start, whoever asks how many keys there are waits until they are counted; nobody else does. */
    @Test
    void othersAreServedWhileKeysAreCounted() {
        TableStore data = new ForwardingStore(new MemoryStore()) {
            @Override
            public void close() {
                // The next frontend continues with it.
            }
        };
        try (FaceUnderTest before = new FaceUnderTest(data, FaceUnderTest.ONE_LOOP)) {
            assertThat(before.connect().call("set", "k", "v")).isEqualTo("+OK");
        }
        SlowStore store = new SlowStore(data);
        CountDownLatch gate = new CountDownLatch(1);
        store.gate = gate;
        try (FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            TestClient counter = face.connect();
            counter.sendRaw(TestClient.request("dbsize") + TestClient.request("get", "k"));
            TestClient other = face.connect();
            assertThat(other.call("get", "k")).isEqualTo("$1 v");
            assertThat(counter.hasReply()).isFalse();
            gate.countDown();
            assertThat(counter.read(2)).containsExactly(":1", "$1 v");
        }
    }

    @Test
    void aFlushBesideTheLoopIsSeenByWhoComesNext() {
        try (FaceUnderTest face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP)) {
            TestClient client = face.connect();
            client.sendRaw(TestClient.request("set", "k", "v")
                    + TestClient.request("flushall")
                    + TestClient.request("get", "k")
                    + TestClient.request("dbsize"));
            assertThat(client.read(4)).containsExactly("+OK", "+OK", "$-1", ":0");
        }
    }

    @Test
    void whoIsKilledDuringATransactionIsNotSubscribedByIt() throws InterruptedException {
        SlowStore store = new SlowStore(new MemoryStore());
        try (FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            TestClient killed = face.connect();
            TestClient other = face.connect();
            CountDownLatch gate = new CountDownLatch(1);
            store.gate = gate;
            killed.sendRaw(TestClient.request("multi")
                    + TestClient.request("keys", "*")
                    + TestClient.request("subscribe", "c")
                    + TestClient.request("exec"));
            assertThat(store.reached.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(other.call("client", "kill", "type", "normal")).isEqualTo(":1");
            FaceUnderTest.await(() -> face.face().clients().count() == 1);
            gate.countDown();
            // Runs on the same worker, and so behind the transaction.
            assertThat(other.call("keys", "*")).isEqualTo("*0");
            assertThat(other.call("pubsub", "channels")).isEqualTo("*0");
        }
    }

    @Test
    void aClientThatLeavesLeavesNothingBehind() throws InterruptedException {
        SlowStore store = new SlowStore(new MemoryStore());
        try (FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            TestClient walker = face.connect();
            TestClient other = face.connect();
            assertThat(other.call("set", "k", "v")).isEqualTo("+OK");
            CountDownLatch gate = new CountDownLatch(1);
            store.gate = gate;
            walker.send("keys", "*");
            assertThat(store.reached.await(30, TimeUnit.SECONDS)).isTrue();
            walker.close();
            gate.countDown();
            FaceUnderTest.await(() -> face.face().clients().count() == 1);
            assertThat(other.call("keys", "*")).isEqualTo("*1 $1 k");
        }
    }
}
