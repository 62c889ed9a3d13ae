package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error in place of a reply says that nothing happened. Where something did, the connection ends with it. */
class RefusedReplyTest {
    private static final int LARGE_BYTES = 20_000_000;

    private final FullStore store = new FullStore();
    private FaceUnderTest face;
    private TestClient client;

    /** A store that can be made to have no space. */
    private static final class FullStore extends ForwardingStore {
        private volatile boolean full;

        FullStore() {
            super(new MemoryStore());
        }

        @Override
        public Commit commit(Batch batch) {
            if (full) {
                throw new StoreException(StoreError.NO_ROOM, "no space, for once");
            }
            return super.commit(batch);
        }
    }

    @BeforeEach
    void start() {
        face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP.with("maxmemory-clients", "16mb"));
        client = face.connect();
        // A value that no reply has space for, made of next to no input.
        client.call("setrange", "large", Integer.toString(LARGE_BYTES - 1), "x");
    }

    @AfterEach
    void stop() {
        face.close();
    }

    private String exec(String... lines) {
        client.call("multi");
        for (String line : lines) {
            assertThat(client.call(line.split(" "))).isEqualTo("+QUEUED");
        }
        return client.call("exec");
    }

    private void assertNoRoom(String reply) {
        assertThat(reply).startsWith("-OOM all clients together hold more replies");
    }

    @Test
    void afterAReadTheConversationGoesOn() {
        assertNoRoom(client.call("get", "large"));
        assertNoRoom(exec("get large", "strlen large"));
        assertThat(client.call("ping")).isEqualTo("+PONG");
    }

    /** That CLIENT CACHING holds for one command is no change of the client's. */
    @Test
    void soItDoesAfterATrackedRead() {
        client.call("hello", "3");
        client.call("client", "tracking", "on", "optin");
        client.call("client", "caching", "yes");
        assertNoRoom(client.call("get", "large"));
        assertThat(client.call("ping")).isEqualTo("+PONG");
    }

    /** What was told before counts no more. */
    @Test
    void aChangeThatWasToldIsNoReasonToEnd() {
        client.call("select", "1");
        client.call("select", "0");
        client.call("client", "setname", "me");
        client.call("set", "k", "v");
        assertNoRoom(client.call("get", "large"));
        assertThat(client.call("ping")).isEqualTo("+PONG");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "hello 3",
                "subscribe channel",
                "psubscribe pattern*",
                "ssubscribe shard",
                "client tracking on bcast prefix p",
                "client setname me",
                "client no-touch on",
                "client no-evict on",
                "client setinfo lib-name me",
                "set k v"
            })
    void aTransactionThatChangedSomethingEndsTheConnection(String line) {
        assertNoRoom(exec("get large", line));
        assertThat(client.isClosedByServer()).isTrue();
        TestClient other = face.connect();
        FaceUnderTest.await(() -> !other.call("client", "list").contains("name=me"));
        assertThat(other.call("pubsub", "channels")).isEqualTo("*0");
        assertThat(other.call("pubsub", "shardchannels")).isEqualTo("*0");
        assertThat(other.call("pubsub", "numpat")).isEqualTo(":0");
    }

    @Test
    void aWriteWhoseReplyIsRefusedEndsTheConnection() {
        assertNoRoom(client.call("getdel", "large"));
        assertThat(client.isClosedByServer()).isTrue();
        assertThat(face.connect().call("exists", "large")).isEqualTo(":0");
    }

    /** Nothing of the transaction happened but what it did to its client. */
    @Test
    void soDoesATransactionThatCannotBeCommitted() {
        store.full = true;
        assertThat(exec("set k v", "get large")).startsWith("-EXECABORT");
        assertThat(client.call("ping")).isEqualTo("+PONG");
        assertThat(exec("set k v", "select 1")).startsWith("-EXECABORT");
        assertThat(client.isClosedByServer()).isTrue();
    }
}
