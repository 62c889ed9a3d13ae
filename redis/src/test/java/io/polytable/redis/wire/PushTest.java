package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients are told unasked; the loops are two, so that messages cross them. */
class PushTest {
    private FaceUnderTest face;
    private TestClient writer;

    @BeforeEach
    void start() {
        face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP.withThreads(2));
        writer = face.connect();
    }

    @AfterEach
    void stop() {
        face.close();
    }

    private TestClient resp3() {
        TestClient client = face.connect();
        client.call("hello", "3");
        return client;
    }

    private TestClient subscriber(String channel) {
        TestClient client = face.connect();
        client.call("subscribe", channel);
        return client;
    }

    private String info(String field) {
        String all = writer.call("info");
        int at = all.indexOf("\n" + field + ":") + field.length() + 2;
        return all.substring(at, all.indexOf('\r', at));
    }

    @Test
    void subscribersOfBothLoopsSeeAllMessagesOfAllPublishersInOneOrder() {
        List<TestClient> subscribers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            subscribers.add(subscriber("news"));
        }
        TestClient other = face.connect();
        for (int i = 0; i < 500; i++) {
            writer.send("publish", "news", "w" + i);
            other.send("publish", "news", "o" + i);
        }
        List<String> first = subscribers.get(0).read(1000);
        assertThat(first.stream().filter(message -> message.contains(" w"))).hasSize(500);
        assertThat(first.indexOf("*3 $7 message $4 news $2 w7"))
                .isLessThan(first.indexOf("*3 $7 message $4 news $2 w8"));
        for (TestClient subscriber : subscribers.subList(1, 6)) {
            assertThat(subscriber.read(1000)).isEqualTo(first);
        }
        assertThat(writer.read(500)).containsOnly(":6");
    }

    @Test
    void aCommandsReplyComesBeforeWhatItsOwnClientHears() {
        TestClient client = resp3();
        client.call("subscribe", "c");
        client.send("publish", "c", "m");
        assertThat(client.read(2)).containsExactly(":1", ">3 $7 message $1 c $1 m");
        client.call("client", "tracking", "on");
        client.call("get", "k");
        client.send("set", "k", "v");
        assertThat(client.read(2)).containsExactly("+OK", ">2 $10 invalidate *1 $1 k");
        client.send("flushall");
        assertThat(client.read(2)).containsExactly("+OK", ">2 $10 invalidate _");
    }

    @Test
    void whoUnsubscribedHearsNothingMore() {
        TestClient client = resp3();
        client.call("subscribe", "c");
        writer.call("publish", "c", "1");
        client.send("unsubscribe", "c");
        assertThat(client.read(2)).containsExactly(">3 $7 message $1 c $1 1", ">3 $11 unsubscribe $1 c :0");
        assertThat(writer.call("publish", "c", "2")).isEqualTo(":0");
        assertThat(client.call("ping")).isEqualTo("+PONG");
    }

    @Test
    void largeMessagesReachEveryone() {
        List<TestClient> subscribers = List.of(subscriber("c"), subscriber("c"), subscriber("c"));
        String large = "x".repeat(300_000);
        writer.call("publish", "c", large);
        writer.call("publish", "c", "small");
        for (TestClient each : subscribers) {
            assertThat(each.read(2))
                    .containsExactly("*3 $7 message $1 c $300000 " + large, "*3 $7 message $1 c $5 small");
        }
    }

    @Test
    void aSubscriberThatNeverReadsIsClosedAndTheOthersAreNot() {
        writer.call("config", "set", "client-output-buffer-limit", "pubsub 1mb 0 0");
        TestClient deaf = subscriber("c");
        TestClient listens = subscriber("c");
        String message = "x".repeat(100_000);
        int told = 0;
        while (writer.call("publish", "c", message).equals(":2")) {
            assertThat(listens.read()).endsWith(message);
            assertThat(++told).as("messages to one that does not read").isLessThan(10_000);
        }
        assertThat(listens.read()).endsWith(message);
        assertThat(deaf.read()).as("what it got before is still there").endsWith(message);
        FaceUnderTest.await(() -> info("connected_clients").equals("2"));
    }

    @Test
    void aSoftLimitGivesTimeToReadAndThenCloses() {
        writer.call("config", "set", "client-output-buffer-limit", "pubsub 0 100kb 1");
        TestClient deaf = subscriber("c");
        String message = "x".repeat(1 << 20);
        for (int i = 0; i < 20; i++) {
            writer.call("publish", "c", message);
        }
        FaceUnderTest.await(() -> writer.call("pubsub", "numsub", "c").equals("*2 $1 c :0"));
        assertThat(deaf.read()).isNotEmpty();
    }

    @Test
    void namesGoWithTheirClient() {
        TestClient client = face.connect();
        String[] words = new String[20_001];
        words[0] = "subscribe";
        for (int i = 1; i < words.length; i++) {
            words[i] = "channel" + i;
        }
        client.send(words);
        assertThat(client.read(20_000).get(19_999)).isEqualTo("*3 $9 subscribe $12 channel20000 :20000");
        assertThat(info("pubsub_channels")).isEqualTo("20000");
        client.close();
        FaceUnderTest.await(() -> info("pubsub_channels").equals("0"));
    }

    @Test
    void patternsThatBacktrackCostLittle() {
        TestClient client = face.connect();
        client.call("psubscribe", "*a".repeat(300) + "b");
        assertThat(writer.call("publish", "a".repeat(3000), "m")).isEqualTo(":0");
        assertThat(writer.call("publish", "a".repeat(3000) + "b", "m")).isEqualTo(":1");
    }

    @Test
    void expiredKeysAreToldWhenTheyGo() {
        writer.call("config", "set", "notify-keyspace-events", "Exm");
        TestClient client = face.connect();
        client.call("psubscribe", "__keyevent@0__:*");
        writer.call("set", "k", "v", "px", "1");
        assertThat(client.read()).isEqualTo("*4 $8 pmessage $16 __keyevent@0__:* $22 __keyevent@0__:expired $1 k");
        writer.call("get", "k");
        assertThat(client.read()).isEqualTo("*4 $8 pmessage $16 __keyevent@0__:* $22 __keyevent@0__:keymiss $1 k");
    }

    @Test
    void theInvalidationTableIsBoundedAndForgetsAloud() {
        writer.call("config", "set", "tracking-table-max-keys", "10");
        TestClient client = resp3();
        client.call("client", "tracking", "on");
        for (int i = 0; i < 10; i++) {
            client.call("get", "k" + i);
        }
        assertThat(info("tracking_total_keys")).isEqualTo("10");
        client.send("get", "k10");
        List<String> told = client.read(2);
        assertThat(told.get(0)).isEqualTo("_");
        assertThat(told.get(1)).startsWith(">2 $10 invalidate *1 ");
        assertThat(info("tracking_total_keys")).isEqualTo("10");
        assertThat(info("tracking_total_items")).isEqualTo("10");
        assertThat(info("tracking_clients")).isEqualTo("1");
        client.close();
        FaceUnderTest.await(() -> info("tracking_total_keys").equals("0"));
    }

    @Test
    void aReadBehindAWriteOfTheSameTransactionIsTracked() {
        TestClient client = resp3();
        client.call("client", "tracking", "on");
        client.call("get", "k");
        client.send("multi");
        client.send("set", "k", "1");
        client.send("get", "k");
        client.send("exec");
        assertThat(client.read(5).get(4)).isEqualTo(">2 $10 invalidate *1 $1 k");
        writer.call("set", "k", "2");
        assertThat(client.read()).isEqualTo(">2 $10 invalidate *1 $1 k");
        writer.call("set", "k", "3");
        assertThat(client.call("get", "k")).as("told once for each read").isEqualTo("$1 3");
    }

    @Test
    void aReadBeforeAWriteOfTheSameTransactionIsNotTracked() {
        TestClient client = resp3();
        client.call("client", "tracking", "on");
        client.send("multi");
        client.send("get", "k");
        client.send("set", "k", "1");
        client.send("exec");
        assertThat(client.read(5).get(4)).isEqualTo(">2 $10 invalidate *1 $1 k");
        writer.call("set", "k", "2");
        assertThat(client.call("ping")).isEqualTo("+PONG");
    }

    @Test
    void everyReadOfATransactionTellsOfItsMiss() {
        writer.call("config", "set", "notify-keyspace-events", "Em");
        TestClient client = subscriber("__keyevent@0__:keymiss");
        writer.call("multi");
        writer.call("hget", "k", "f");
        writer.call("get", "k");
        assertThat(writer.call("exec")).isEqualTo("*2 $-1 $-1");
        String miss = "*3 $7 message $22 __keyevent@0__:keymiss $1 k";
        assertThat(client.read(2)).containsExactly(miss, miss);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zintercard 2 k k", "zunion 2 k k", "sinter k k", "zdiffstore d 2 k k", "lcs k k"})
    void aKeyThatIsNamedTwiceIsMissedTwice(String line) {
        writer.call("config", "set", "notify-keyspace-events", "Em");
        TestClient client = subscriber("__keyevent@0__:keymiss");
        writer.call(line.split(" "));
        String miss = "*3 $7 message $22 __keyevent@0__:keymiss $1 k";
        assertThat(client.read(2)).containsExactly(miss, miss);
    }

    @Test
    void lcsMissesAKeyBesideOneOfAWrongType() {
        writer.call("config", "set", "notify-keyspace-events", "Em");
        writer.call("rpush", "l", "a");
        TestClient client = subscriber("__keyevent@0__:keymiss");
        assertThat(writer.call("lcs", "l", "k")).isEqualTo("-ERR The specified keys must contain string values");
        assertThat(client.read()).isEqualTo("*3 $7 message $22 __keyevent@0__:keymiss $1 k");
    }

    @Test
    void aCommandOfATransactionThatFailsTellsOfItsMiss() {
        writer.call("config", "set", "notify-keyspace-events", "Em");
        writer.call("set", "s", "no set");
        TestClient client = subscriber("__keyevent@0__:keymiss");
        writer.call("multi");
        writer.call("set", "other", "1");
        writer.call("sunionstore", "target", "k", "s");
        assertThat(writer.call("exec")).contains("-WRONGTYPE");
        assertThat(client.read()).isEqualTo("*3 $7 message $22 __keyevent@0__:keymiss $1 k");
    }

    @ParameterizedTest
    @CsvSource({
        "1, xack k g 1-1",
        "1, xclaim k g c 0 1-1",
        "1, xautoclaim k g c 0 0",
        "1, xautoclaim k g c x 0",
        "1, xautoclaim k g c 0 x",
        "1, xautoclaim k g c 0 0 x",
        "1, xautoclaim k g c 0 0 count 0",
        "1, xreadgroup group g c streams k >",
        "1, xpending k g",
        "1, migrate host 1 k 0 10",
        "2, xread streams k 0",
        "2, xread block 1 streams k $",
        "2, xread count 1 streams k 1-1"
    })
    void streamsAreMissedAsOftenAsRedisLooksForThem(int times, String line) {
        writer.call("config", "set", "notify-keyspace-events", "Em");
        TestClient client = subscriber("__keyevent@0__:keymiss");
        writer.call(line.split(" "));
        writer.call("get", "end");
        String miss = "*3 $7 message $22 __keyevent@0__:keymiss ";
        assertThat(client.read(times)).containsOnly(miss + "$1 k");
        assertThat(client.read()).isEqualTo(miss + "$3 end");
    }

    @Test
    void aGroupThatMakesItsStreamInvalidatesItInTurn() {
        TestClient client = resp3();
        client.call("client", "tracking", "on");
        client.call("mget", "a", "d");
        writer.call("multi");
        writer.call("xgroup", "create", "d", "g", "0", "mkstream");
        writer.call("set", "a", "1");
        writer.call("exec");
        assertThat(client.read(2)).containsExactly(">2 $10 invalidate *1 $1 d", ">2 $10 invalidate *1 $1 a");
    }

    @Test
    void whatConsumerGroupsDoIsNoChangeOfTheStream() {
        writer.call("xadd", "s", "1-1", "f", "v");
        TestClient client = resp3();
        client.call("client", "tracking", "on");
        client.call("xlen", "s");
        client.call("watch", "s");
        for (String line : List.of(
                "xgroup create s g 0",
                "xgroup createconsumer s g c",
                "xreadgroup group g d streams s >",
                "xclaim s g e 0 1-1",
                "xgroup setid s g 0",
                "xgroup delconsumer s g c",
                "xgroup destroy s g",
                "xsetid s 5-5")) {
            assertThat(writer.call(line.split(" ", -1))).as(line).doesNotStartWith("-");
        }
        client.call("multi");
        client.call("xlen", "s");
        assertThat(client.call("exec")).isEqualTo("*1 :1");
        client.call("watch", "s");
        writer.call("xadd", "s", "6-6", "f", "v");
        assertThat(client.read()).isEqualTo(">2 $10 invalidate *1 $1 s");
        client.call("multi");
        assertThat(client.call("exec")).isEqualTo("_");
    }

    @Test
    void broadcastsTellOfWhatTheBackgroundDid() {
        TestClient client = resp3();
        client.call("client", "tracking", "on", "bcast", "prefix", "s:");
        writer.call("set", "s:1", "v", "px", "1");
        assertThat(client.read()).isEqualTo(">2 $10 invalidate *1 $3 s:1");
        assertThat(client.read()).as("the expirer's").isEqualTo(">2 $10 invalidate *1 $3 s:1");
    }

    /** A line would otherwise take many times the memory of what was sent. */
    /** In RESP2 a client may redirect to itself: Redis asks whether there is a redirection, not to whom. */
    @Test
    void invalidationsMayBeRedirectedToOneself() {
        TestClient cache = face.connect();
        String id = cache.call("client", "id").substring(1);
        assertThat(cache.call("client", "tracking", "on", "redirect", id)).isEqualTo("+OK");
        cache.call("get", "k");
        cache.call("subscribe", "__redis__:invalidate");
        writer.call("set", "k", "v");
        assertThat(cache.read()).isEqualTo("*3 $7 message $20 __redis__:invalidate *1 $1 k");
    }

    /** What the writer changed comes before the reply, and what the blocked call itself changed comes after it. */
    @Test
    void aBlockedCallsReplyComesBeforeTheInvalidationsThatItCauses() {
        TestClient blocked = resp3();
        blocked.call("client", "tracking", "on");
        blocked.call("llen", "from");
        blocked.call("llen", "to");
        blocked.send("blmove", "from", "to", "left", "right", "0");
        FaceUnderTest.await(() -> info("blocked_clients").equals("1"));
        writer.call("rpush", "from", "a");
        assertThat(blocked.read()).isEqualTo(">2 $10 invalidate *1 $4 from");
        assertThat(blocked.read()).isEqualTo("$1 a");
        assertThat(blocked.read()).isEqualTo(">2 $10 invalidate *1 $2 to");
    }

    @Test
    void monitorsSeeTheStartOfLongCommands() {
        TestClient monitor = face.connect();
        monitor.call("monitor");
        writer.call("set", "k", "\0".repeat(3 << 20));
        assertThat(monitor.read()).hasSizeLessThan(1 << 20).endsWith("\\x00\"... (3080192 more bytes)");
        String[] words = new String[1000];
        Arrays.fill(words, "w".repeat(3000));
        words[0] = "del";
        writer.call(words);
        assertThat(monitor.read()).hasSizeLessThan(2 << 20).contains(" more arguments)");
    }

    @Test
    void monitorsSeeEveryCommandButNoPassword() {
        TestClient monitor = face.connect();
        assertThat(monitor.call("monitor")).isEqualTo("+OK");
        writer.call("set", "k", "a\n\u0001\"\\");
        writer.call("auth", "secret");
        writer.call("config", "get", "port");
        writer.call("ping");
        List<String> lines = monitor.read(3);
        assertThat(lines.get(0))
                .matches("\\+\\d+\\.\\d{6} \\[0 127\\.0\\.0\\.1:\\d+\\] \"set\" \"k\" \"a\\\\n\\\\x01\\\\\"\\\\\\\\\"");
        assertThat(lines.get(1)).endsWith("\"auth\" \"(redacted)\"");
        assertThat(lines.get(2)).endsWith("\"ping\"");
        assertThat(monitor.call("get", "k")).startsWith("-ERR Replica can't interact");
        assertThat(monitor.call("reset")).isEqualTo("+RESET");
        writer.call("ping");
        assertThat(monitor.call("get", "k")).startsWith("$5");
    }

    @Test
    void clientsAreToldApartByWhatTheyListenTo() {
        TestClient client = subscriber("c");
        assertThat(writer.call("client", "list", "type", "pubsub")).contains(" flags=P ", " sub=1 psub=0 ssub=0 ");
        assertThat(writer.call("client", "kill", "type", "pubsub")).isEqualTo(":1");
        assertThat(client.isClosedByServer()).isTrue();
        FaceUnderTest.await(() -> writer.call("pubsub", "channels").equals("*0"));
    }
}
