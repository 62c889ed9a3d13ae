package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.RedisFrontend;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one connection may cost, and that the others do not pay for it. */
class LimitsTest {
    private static final int REPLIES = 6;

    private static final int MANY = 64;

    private static FaceUnderTest start(RedisOptions options) {
        return new FaceUnderTest(new MemoryStore(), options);
    }

    private static void awaitClients(RedisFrontend face, long count) {
        FaceUnderTest.await(() -> face.clients().count() == count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"normal 1mb 0 0", "normal 0 1mb 1"})
    void closesWhoDoesNotRead(String limit) {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("client-output-buffer-limit", limit))) {
            TestClient other = face.connect();
            other.call("set", "large", "v".repeat(1 << 20));
            TestClient lazy = face.connect();
            lazy.sendRaw(TestClient.request("get", "large").repeat(MANY));
            assertThat(other.call("ping")).isEqualTo("+PONG");
            awaitClients(face.face(), 1);
            assertThat(other.call("strlen", "large")).isEqualTo(":" + (1 << 20));
        }
    }

    @Test
    void waitsForWhoReadsSlowly() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP)) {
            TestClient client = face.connect();
            String value = "v".repeat(1 << 20);
            client.call("set", "large", value);
            client.sendRaw(TestClient.request("get", "large").repeat(MANY));
            // Far more is asked for than sockets take: the server stops running requests until this one reads.
            assertThat(face.connect().call("ping")).isEqualTo("+PONG");
            for (int i = 0; i < MANY; i++) {
                assertThat(client.read()).hasSize("$1048576 ".length() + value.length());
            }
        }
    }

    /** Many that read, but ask for more than all together may leave unread: they wait, and nobody gets an error. */
    @Test
    void whoReadsIsNeitherRefusedNorClosed() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("maxmemory-clients", "16mb"))) {
            TestClient first = face.connect();
            String value = "v".repeat(100);
            String[] push = new String[602];
            Arrays.fill(push, value);
            push[0] = "rpush";
            push[1] = "list";
            first.call(push);
            TestClient[] clients = new TestClient[50];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = face.connect();
                clients[i].sendRaw(
                        TestClient.request("lrange", "list", "0", "599").repeat(MANY));
            }
            // Each asks for four mebibytes; none reads before all have asked.
            assertThat(face.connect().call("ping")).isEqualTo("+PONG");
            for (TestClient client : clients) {
                for (int i = 0; i < MANY; i++) {
                    assertThat(client.read()).startsWith("*600 $100 v").hasSize(600 * 106 + 4);
                }
            }
        }
    }

    /** The same check closes idle clients, so the end of an idle client shows that the slow one was checked too. */
    @Test
    void aSoftLimitLeavesItsSeconds() {
        ManualClock clock = new ManualClock();
        RedisOptions options = FaceUnderTest.ONE_LOOP
                .with("client-output-buffer-limit", "normal 0 1mb 3600")
                .with("timeout", "60");
        try (FaceUnderTest face = new FaceUnderTest(new MemoryStore(), options, clock)) {
            face.connect().call("ping");
            clock.advance(Duration.ofSeconds(30));
            face.connect().call("ping");
            clock.advance(Duration.ofSeconds(10));
            TestClient slow = face.connect();
            slow.call("set", "large", "v".repeat(8 << 20));
            slow.send("get", "large");
            // The first check finds the limit exceeded, the second one may not close the client yet.
            clock.advance(Duration.ofSeconds(21));
            awaitClients(face.face(), 2);
            clock.advance(Duration.ofSeconds(30));
            awaitClients(face.face(), 1);
            assertThat(slow.read()).hasSize("$8388608 ".length() + (8 << 20));
        }
    }

    @Test
    void boundsOneRequest() {
        RedisOptions options =
                FaceUnderTest.ONE_LOOP.with("client-query-buffer-limit", "1mb").with("proto-max-bulk-len", "1mb");
        try (FaceUnderTest face = start(options)) {
            TestClient word = face.connect();
            word.sendRaw("*2\r\n$3\r\nget\r\n$1048577\r\n");
            assertThat(word.read()).isEqualTo("-ERR Protocol error: invalid bulk length");
            assertThat(word.isClosedByServer()).isTrue();
            TestClient request = face.connect();
            String part = "$500000\r\n" + "x".repeat(500_000) + "\r\n";
            request.sendRaw("*9\r\n" + part + part + part.substring(0, 100_000));
            assertThat(request.read()).startsWith("-ERR Protocol error: ");
            assertThat(request.isClosedByServer()).isTrue();
            assertThat(face.connect().call("ping")).isEqualTo("+PONG");
        }
    }

    /** Who continues sending behind a protocol error is disconnected, however fast it sends. */
    @Test
    void closesWhoSendsOnBehindAProtocolError() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP)) {
            TestClient flood = face.connect();
            flood.sendRaw("*1\r\nx\r\n");
            assertThat(flood.read()).isEqualTo("-ERR Protocol error: expected '$', got 'x'");
            String more = "y".repeat(1 << 20);
            assertThatThrownBy(() -> {
                        for (int megabytes = 0; megabytes < 100; megabytes++) {
                            flood.sendRaw(more);
                        }
                    })
                    .isInstanceOf(UncheckedIOException.class);
            awaitClients(face.face(), 0);
        }
    }

    /** The error arrives even if the client has sent more than the server reads. */
    @Test
    void closesWhoFallsSilentBehindAProtocolError() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP)) {
            TestClient client = face.connect();
            client.sendRaw("*1\r\nx\r\n" + "y".repeat(300_000));
            assertThat(client.read()).isEqualTo("-ERR Protocol error: expected '$', got 'x'");
            assertThat(client.isClosedByServer()).isTrue();
            awaitClients(face.face(), 0);
        }
    }

    @Test
    void refusesAWordThatAllTogetherHaveNoRoomForBeforeItHasCome() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("maxmemory-clients", "4mb"))) {
            TestClient client = face.connect();
            client.sendRaw("*3\r\n$3\r\nset\r\n$1\r\nk\r\n$6000000\r\n" + "x".repeat(3_000_000));
            assertThat(client.read()).startsWith("-OOM all clients together");
            assertThat(client.isClosedByServer()).isTrue();
            assertThat(face.connect().call("get", "k")).isEqualTo("$-1");
        }
    }

    @Test
    void noWordIsLargerThanTheHeapCanCarry() {
        long most = Runtime.getRuntime().maxMemory() / 16;
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("proto-max-bulk-len", "4gb"))) {
            TestClient client = face.connect();
            assertThat(client.call("config", "get", "proto-max-bulk-len"))
                    .contains(Long.toString(Math.min(most, 512 << 20)));
            client.sendRaw("*3\r\n$3\r\nset\r\n$1\r\nk\r\n$" + (most + 1) + "\r\n");
            assertThat(client.read()).isEqualTo("-ERR Protocol error: invalid bulk length");
            assertThat(face.connect().call("ping")).isEqualTo("+PONG");
        }
    }

    /** Who asks when others have left no space gets an error instead of the reply, whole replies before it, and others after it. */
    @Test
    void boundsTheRepliesOfAllTogether() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("maxmemory-clients", "16mb"))) {
            TestClient good = face.connect();
            good.call("set", "large", "v".repeat(8 << 20));
            TestClient[] lazy = new TestClient[8];
            for (int i = 0; i < lazy.length; i++) {
                lazy[i] = face.connect();
                lazy[i].sendRaw(TestClient.request("ping")
                        + TestClient.request("get", "large").repeat(REPLIES));
                // Sent at the end of the turn that runs the first GET. Nobody who reads may ask before: that reply
                // would take the space, and give it back when all lazy clients have been refused.
                assertThat(lazy[i].read()).isEqualTo("+PONG");
            }
            // Two replies fill the budget, and no socket takes a whole one.
            assertThat(good.call("get", "large")).startsWith("-OOM all clients together");
            assertThat(good.call("mget", "none", "large", "none")).startsWith("-OOM all clients together");
            assertThat(good.call("strlen", "large")).isEqualTo(":" + (8 << 20));
            int refused = 0;
            for (TestClient client : lazy) {
                for (int i = 0; i < REPLIES; i++) {
                    String reply = client.read();
                    boolean full = reply.startsWith("-OOM all clients together");
                    assertThat(full || reply.length() > 8 << 20).isTrue();
                    refused += full ? 1 : 0;
                }
                assertThat(client.call("ping")).isEqualTo("+PONG");
            }
            assertThat(refused).isPositive();
            FaceUnderTest.await(() -> good.call("get", "large").length() > 8 << 20);
        }
    }

    /** Each message is small, and by itself free; together they are not. */
    @Test
    void boundsMessagesThatTrickle() {
        RedisOptions options = FaceUnderTest.ONE_LOOP
                .with("maxmemory-clients", "8mb")
                .with("client-output-buffer-limit", "pubsub 0 0 0");
        try (FaceUnderTest face = start(options)) {
            TestClient deaf = face.connect();
            deaf.call("subscribe", "c");
            TestClient writer = face.connect();
            String message = "m".repeat(20_000);
            int told = 0;
            while (writer.call("publish", "c", message).equals(":1")) {
                // The budget, and what Linux takes off the server's hands.
                assertThat(++told).isLessThan((40 << 20) / message.length());
            }
            assertThat(writer.call("ping")).isEqualTo("+PONG");
        }
    }

    /** Who connected while there was a password is no stranger when there is none any more. */
    @Test
    void withoutAPasswordNobodyIsAStranger() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.withPassword("secret"))) {
            TestClient early = face.connect();
            assertThat(early.call("ping")).startsWith("-NOAUTH");
            TestClient admin = face.connect();
            admin.call("auth", "secret");
            assertThat(admin.call("config", "set", "requirepass", "")).isEqualTo("+OK");
            assertThat(early.call(withKeys("mget", "k", 11))).startsWith("*11 ");
        }
    }

    @Test
    void boundsTheInputOfAllTogether() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("maxmemory-clients", "4mb"))) {
            TestClient good = face.connect();
            assertThat(good.call("set", "k", "v".repeat(1 << 20))).isEqualTo("+OK");
            String begun = "*2\r\n$3\r\nget\r\n$1000000\r\n" + "x".repeat(900_000);
            TestClient[] hoarders = new TestClient[8];
            for (int i = 0; i < hoarders.length; i++) {
                hoarders[i] = face.connect();
                hoarders[i].sendRaw(begun);
            }
            // Four of them fit; of the others some go, and then there is space again.
            FaceUnderTest.await(() -> face.face().clients().count() < 6);
            assertThat(good.call("strlen", "k")).isEqualTo(":1048576");
            for (TestClient hoarder : hoarders) {
                hoarder.close();
            }
            awaitClients(face.face(), 1);
            assertThat(good.call("set", "k", "w".repeat(1 << 20))).isEqualTo("+OK");
        }
    }

    private static String[] withKeys(String command, String prefix, int count, String... after) {
        List<String> words = new ArrayList<>(List.of(command));
        for (int i = 0; i < count; i++) {
            words.add(prefix + i);
        }
        words.addAll(List.of(after));
        return words.toArray(String[]::new);
    }

    /** Short keys cost much more than their bytes. */
    @Test
    void boundsTheWatchedKeysOfAllTogether() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("maxmemory-clients", "4mb"))) {
            TestClient client = face.connect();
            assertThat(client.call(withKeys("watch", "w", 12_000))).startsWith("-OOM no space to watch keys");
            assertThat(client.call(withKeys("watch", "w", 6_000))).isEqualTo("+OK");
            // Once more the same keys takes nothing.
            assertThat(client.call(withKeys("watch", "w", 6_000))).isEqualTo("+OK");
            TestClient other = face.connect();
            assertThat(other.call(withKeys("watch", "v", 6_000))).startsWith("-OOM no space to watch keys");
            assertThat(other.call("set", "w1", "x")).isEqualTo("+OK");
            client.call("multi");
            client.call("ping");
            assertThat(client.call("exec")).isEqualTo("*-1");
            assertThat(other.call(withKeys("watch", "v", 6_000))).isEqualTo("+OK");
            other.close();
            awaitClients(face.face(), 1);
            assertThat(client.call(withKeys("watch", "w", 6_000))).isEqualTo("+OK");
        }
    }

    @Test
    void boundsTheAwaitedKeysOfAllTogether() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("maxmemory-clients", "4mb"))) {
            TestClient client = face.connect();
            assertThat(client.call(withKeys("blpop", "k", 8_000, "0"))).startsWith("-OOM no space to wait for keys");
            client.send(withKeys("blpop", "k", 4_000, "0"));
            FaceUnderTest.await(() -> face.face().clients().waiting() == 1);
            TestClient other = face.connect();
            assertThat(other.call(withKeys("blpop", "l", 4_000, "0"))).startsWith("-OOM no space to wait for keys");
            assertThat(other.call("rpush", "k3999", "v")).isEqualTo(":1");
            assertThat(client.read()).isEqualTo("*2 $5 k3999 $1 v");
            other.send(withKeys("blpop", "l", 4_000, "0"));
            FaceUnderTest.await(() -> face.face().clients().waiting() == 1);
            other.close();
            awaitClients(face.face(), 1);
            assertThat(client.call(withKeys("blpop", "k", 4_000, "0.01"))).isEqualTo("*-1");
        }
    }

    /** It sends on while it is blocked, until all clients together hold too much. */
    @Test
    void aBlockedClientThatIsRefusedGetsNothingAnyMore() {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("maxmemory-clients", "4mb"))) {
            TestClient blocked = face.connect();
            blocked.send("blpop", "k", "0");
            FaceUnderTest.await(() -> face.face().clients().waiting() == 1);
            TestClient good = face.connect();
            for (int i = 0; i < 4; i++) {
                assertThat(face.connect().call("client", "setname", "x".repeat(1_040_000)))
                        .isEqualTo("+OK");
            }
            for (int i = 0; i < 60; i++) {
                blocked.send("echo", "y".repeat(1000));
            }
            assertThat(blocked.read()).startsWith("-OOM");
            assertThat(good.call("rpush", "k", "v")).isEqualTo(":1");
            assertThat(good.call("llen", "k")).isEqualTo(":1");
        }
    }

    /** What a client names itself, and what it tracks, stays for as long as it is connected. */
    @ParameterizedTest
    @ValueSource(strings = {"setname", "setinfo lib-name", "setinfo lib-ver", "tracking on bcast prefix"})
    void boundsWhatAllTogetherAreCalledAndTrack(String subcommand) {
        try (FaceUnderTest face = start(FaceUnderTest.ONE_LOOP.with("maxmemory-clients", "4mb"))) {
            TestClient good = face.connect();
            assertThat(good.call("ping")).isEqualTo("+PONG");
            String[] words = ("client " + subcommand + " " + "x".repeat(900_000)).split(" ", -1);
            TestClient[] hoarders = new TestClient[8];
            for (int i = 0; i < hoarders.length; i++) {
                hoarders[i] = face.connect();
                assertThat(hoarders[i].call(words)).matches("[+]OK|-OOM all clients together.*");
            }
            // Four of them fit.
            FaceUnderTest.await(() -> face.face().clients().count() < 7);
            assertThat(good.call("ping")).isEqualTo("+PONG");
            for (TestClient hoarder : hoarders) {
                hoarder.close();
            }
            awaitClients(face.face(), 1);
            assertThat(good.call(words)).isEqualTo("+OK");
            assertThat(good.call("ping")).isEqualTo("+PONG");
        }
    }
}
