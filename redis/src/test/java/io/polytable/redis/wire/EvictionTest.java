package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.keyspace.DataUsage;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code maxmemory} and its policies. */
@Timeout(120)
class EvictionTest {
    private static final String VALUE = "v".repeat(900);
    private static final String FULL = "-OOM command not allowed when used memory > 'maxmemory'.";

    /** The rows of about a hundred keys with that value. */
    private static final int LIMIT = 100_000;

    private final MemoryStore store = new MemoryStore();
    private final AtomicLong now = new AtomicLong(1_700_000_000_000L);
    private final FaceUnderTest face =
            new FaceUnderTest(store, FaceUnderTest.ONE_LOOP, () -> Instant.ofEpochMilli(now.get()));
    private final TestClient client = face.connect();

    @AfterEach
    void close() {
        face.close();
    }

    private DataUsage usage() {
        return face.face().keyspace().tables().usage();
    }

    private void limit(String policy) {
        assertThat(client.call("config", "set", "maxmemory-policy", policy, "maxmemory", Integer.toString(LIMIT)))
                .isEqualTo("+OK");
        Await.until("the data is counted", () -> usage().isCounted() && !usage().isOver());
    }

    private void fill(String prefix, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(client.call("set", prefix + i, VALUE)).isEqualTo("+OK");
        }
    }

    private long present(String prefix, int count) {
        String[] words = IntStream.rangeClosed(0, count)
                .mapToObj(i -> i == 0 ? "exists" : prefix + (i - 1))
                .toArray(String[]::new);
        return Long.parseLong(client.call(words).substring(1));
    }

    private long evicted() {
        String info = client.call("info", "stats");
        return Long.parseLong(info.replaceAll("(?s).*evicted_keys:(\\d+).*", "$1"));
    }

    @Test
    void nothingIsCountedWithoutALimit() {
        fill("k", 10);
        assertThat(usage().isCounting()).isFalse();
        assertThat(usage().bytes()).isZero();
    }

    @Test
    void withoutAPolicyWritesAreRefused() {
        fill("k", 50);
        limit("noeviction");
        long before = usage().bytes();
        assertThat(client.call("set", "one", VALUE)).isEqualTo("+OK");
        assertThat(usage().bytes() - before).isBetween(932L, 990L);
        int i = 0;
        while (client.call("set", "more" + i, VALUE).equals("+OK")) {
            i++;
        }
        assertThat(usage().bytes()).isBetween((long) LIMIT, LIMIT + 2000L);
        assertThat(client.call("set", "more", VALUE)).isEqualTo(FULL);
        assertThat(client.call("get", "k1")).isEqualTo("$900 " + VALUE);
        assertThat(client.call("eval", "return redis.call('set', KEYS[1], 1)", "1", "x"))
                .startsWith("-OOM command not allowed when used memory > 'maxmemory'. script: ");
        assertThat(client.call("eval", "#!lua\nreturn redis.call('set', KEYS[1], 1)", "1", "x"))
                .isEqualTo(
                        "-OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'");
        assertThat(client.call("eval", "#!lua flags=allow-oom\nreturn redis.call('set', KEYS[1], 1)", "1", "x"))
                .isEqualTo("+OK");
        assertThat(client.call("eval", "#!lua flags=no-writes\nreturn redis.call('get', KEYS[1])", "1", "x"))
                .isEqualTo("$1 1");
        assertThat(client.call("multi")).isEqualTo("+OK");
        assertThat(client.call("set", "x", "y")).isEqualTo(FULL);
        assertThat(client.call("exec")).startsWith("-EXECABORT ");
        for (int k = 0; k < 5; k++) {
            client.call("del", "k" + k);
        }
        assertThat(client.call("set", "more", VALUE)).isEqualTo("+OK");
        assertThat(evicted()).isZero();
    }

    @Test
    void theLeastRecentlyUsedGo() {
        limit("allkeys-lru");
        fill("hot", 30);
        fill("old", 60);
        now.addAndGet(1_000_000);
        for (int i = 0; i < 30; i++) {
            client.call("get", "hot" + i);
        }
        now.addAndGet(1_000_000);
        fill("new", 40);
        Await.until("there is less than the limit", () -> !usage().isOver());
        assertThat(evicted()).isBetween(20L, 40L);
        assertThat(present("new", 40)).isEqualTo(40);
        assertThat(present("hot", 30)).as("used since").isGreaterThan(25);
    }

    private String dumped() {
        client.call("set", "source", "x");
        String dump = client.call("dump", "source");
        return dump.substring(dump.indexOf(' ') + 1);
    }

    @Test
    void onlyKeysWithADeadlineGoUnderAVolatilePolicy() {
        for (String policy : new String[] {"volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"}) {
            client.call("flushall");
            limit(policy);
            fill("stays", 40);
            for (int i = 0; i < 200; i++) {
                assertThat(client.call("set", "goes" + i, VALUE, "ex", Integer.toString(10_000 + i)))
                        .as(policy)
                        .isEqualTo("+OK");
            }
            Await.until("there is less than the limit under " + policy, () -> !usage().isOver());
            assertThat(present("stays", 40)).as(policy).isEqualTo(40);
            assertThat(present("goes", 200)).as(policy).isBetween(20L, 70L);
        }
    }

    @Test
    void theNextDeadlineGoesFirst() {
        limit("volatile-ttl");
        for (int i = 0; i < 200; i++) {
            client.call("set", "k" + i, VALUE, "ex", Integer.toString(100_000 - i));
        }
        Await.until("there is less than the limit", () -> !usage().isOver());
        long left = present("k", 200);
        assertThat(left).isBetween(80L, 110L);
        assertThat(present("k", (int) left - 10)).as("the latest deadlines").isEqualTo(left - 10);
    }

    @Test
    void withNothingToRemoveWritesAreRefused() {
        limit("volatile-lru");
        fill("stays", 90);
        Await.until(
                "there is no space",
                () -> client.call("set", "more" + evicted() + System.nanoTime(), VALUE)
                        .equals(FULL));
        assertThat(client.call("expire", "stays1", "1000")).isEqualTo(":1");
        Await.until("a key has gone", () -> evicted() == 1);
    }

    @Test
    void collectionsGoWithTheirElements() {
        limit("allkeys-random");
        for (int i = 0; i < 40; i++) {
            for (int j = 0; j < 10; j++) {
                assertThat(client.call("hset", "h" + i, "f" + j, VALUE)).isEqualTo(":1");
            }
        }
        Await.until("the elements are swept", () -> usage().bytes() <= LIMIT);
        assertThat(present("h", 40)).isBetween(3L, 12L);
        client.call("flushall");
        Await.until("nothing is left", () -> usage().bytes() == 0);
    }

    @Test
    void evictionIsAnEventAndAChange() {
        TestClient listener = face.connect();
        client.call("config", "set", "notify-keyspace-events", "Ee");
        listener.call("subscribe", "__keyevent@0__:evicted");
        limit("allkeys-lru");
        client.call("set", "victim", VALUE);
        client.call("restore", "victim", "0", dumped(), "idletime", "1000", "replace");
        TestClient watcher = face.connect();
        watcher.call("watch", "victim");
        fill("k", 150);
        assertThat(listener.read()).startsWith("*3 $7 message $22 __keyevent@0__:evicted ");
        // Eviction samples a few keys: writing continues until it has met the idle one.
        AtomicInteger more = new AtomicInteger();
        Await.until("the idle one has gone", () -> {
            fill("more" + more.incrementAndGet() + "-", 20);
            return client.call("exists", "victim").equals(":0");
        });
        watcher.call("multi");
        watcher.call("ping");
        assertThat(watcher.call("exec")).isEqualTo("*-1");
    }

    @Test
    void frequencyIsCountedUnderALfuPolicy() {
        client.call("config", "set", "maxmemory-policy", "allkeys-lfu");
        client.call("set", "k", "v");
        assertThat(client.call("object", "freq", "k")).isEqualTo(":5");
        client.call("get", "k");
        assertThat(client.call("object", "freq", "k")).isEqualTo(":6");
        assertThat(client.call("object", "idletime", "k")).startsWith("-ERR An LFU maxmemory policy is selected");
        client.call("restore", "r", "0", dumped(), "freq", "77");
        assertThat(client.call("object", "freq", "r")).isEqualTo(":77");
        client.call("config", "set", "maxmemory-policy", "allkeys-lru");
        assertThat(client.call("object", "freq", "k")).startsWith("-ERR An LFU maxmemory policy is not selected");
        assertThat(client.call("object", "idletime", "k")).startsWith(":");
    }
}
