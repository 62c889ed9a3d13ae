package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.RedisPeer;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.FreePort;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** This server as the replica of a stock redis-server ends with the same keys, whatever happened between. */
class ReplicaTest {
    private static final String[] KEEPS = {
        "--repl-timeout", "5", "--repl-ping-replica-period", "1", "--appendonly", "yes", "--appendfsync", "always"
    };

    @TempDir
    private Path ours;

    @TempDir
    private Path theirs;

    private final int primaryPort = FreePort.find();
    private RedisPeer primary;
    private FaceUnderTest face;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        Program.REDIS_SERVER.require();
        primary = RedisPeer.startOn(primaryPort, theirs, KEEPS);
        face = new FaceUnderTest(new MemoryStore(), options());
        client = face.connect();
    }

    private RedisOptions options() {
        return RedisOptions.defaults()
                .withPort(0)
                .withThreads(2)
                .with("dir", ours.toString())
                .with("enable-debug-command", "yes");
    }

    @AfterEach
    void stop() throws IOException {
        primary.close();
        face.close();
    }

    private void follow() {
        assertThat(client.call("replicaof", "127.0.0.1", Integer.toString(primaryPort)))
                .isEqualTo("+OK");
    }

    private void awaitLink() {
        Await.until("the link is up", () -> client.call("info", "replication").contains("master_link_status:up"));
    }

    private String info(RedisPeer peer) {
        return ((Bytes) peer.run("info", "replication")).utf8();
    }

    private static long field(String report, String name) {
        return report.lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(
                        line -> Long.parseLong(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    private void assertSame() {
        awaitLink();
        // Pings move the offset, so this takes as many tries as it takes.
        Await.until("everything is applied, and equal", () -> {
            Object digest = primary.run("debug", "digest");
            return client.call("debug", "digest").equals("+" + digest) && digest.equals(primary.run("debug", "digest"));
        });
    }

    @Test
    void everyTypeOfChangeArrives() {
        primary.run("set", "before", "1");
        primary.run("rpush", "queue", "a", "b", "c");
        primary.run("function", "load", "#!lua name=lib\nredis.register_function('one', function() return 1 end)");
        client.call("set", "ours", "is replaced");
        follow();
        awaitLink();
        for (String line : PrimaryTest.CHANGES.lines().toList()) {
            assertThat(String.valueOf(primary.run(line.trim().split(" "))))
                    .as(line)
                    .doesNotStartWith("error");
        }
        primary.run("select", "0");
        assertSame();
        assertThat(client.call("exists", "ours")).isEqualTo(":0");
        assertThat(client.call("fcall", "one", "0"))
                .isEqualTo("-READONLY Can not run script with write flag on readonly replica.");
        assertThat(client.call("function", "stats")).contains("libraries_count");
        assertThat(client.call("role")).startsWith("*5 $5 slave $9 127.0.0.1 :" + primaryPort + " $9 connected");
        assertThat(info(primary)).contains("connected_slaves:1").contains("state=online");
    }

    @Test
    void messagesOfThePrimaryArrive() {
        follow();
        awaitLink();
        TestClient listener = face.connect();
        assertThat(listener.call("subscribe", "news")).contains("subscribe");
        primary.run("publish", "news", "one");
        assertThat(listener.read()).isEqualTo("*3 $7 message $4 news $3 one");
        assertSame();
    }

    @Test
    void aReplicaOnlyReads() {
        primary.run("set", "a", "1");
        follow();
        awaitLink();
        assertThat(client.call("get", "a")).isEqualTo("$1 1");
        assertThat(client.call("set", "a", "2")).isEqualTo("-READONLY You can't write against a read only replica.");
        assertThat(client.call("eval", "return redis.call('set', 'a', 1)", "0"))
                .startsWith("-READONLY You can't write against a read only replica. script: ");
        assertThat(client.call("eval", "return redis.call('get', 'a')", "0")).isEqualTo("$1 1");
        assertThat(client.call("multi")).isEqualTo("+OK");
        assertThat(client.call("set", "a", "3")).startsWith("-READONLY");
        assertThat(client.call("exec")).startsWith("-EXECABORT");
        assertThat(client.call("wait", "1", "1")).startsWith("-ERR WAIT cannot be used with replica instances.");
        assertThat(client.call("failover")).isEqualTo("-ERR FAILOVER is not valid when server is a replica.");
        assertThat(client.call("replicaof", "no", "one")).isEqualTo("+OK");
        assertThat(client.call("set", "a", "2")).isEqualTo("+OK");
        assertThat(client.call("role")).startsWith("*3 $6 master");
    }

    /** A key that has expired stays until the primary says so, but nobody sees it. */
    @Test
    void thePrimarySaysWhatExpires() {
        follow();
        awaitLink();
        primary.run("debug", "set-active-expire", "0");
        primary.run("set", "a", "1", "px", "1");
        primary.run("set", "b", "1");
        Await.until("b is here", () -> client.call("get", "b").equals("$1 1"));
        Await.until("a has expired", () -> client.call("get", "a").equals("$-1"));
        assertThat(client.call("dbsize")).isEqualTo(":2");
        assertThat(primary.run("get", "a")).isNotNull();
        Await.until("a is removed", () -> client.call("dbsize").equals(":1"));
    }

    @Test
    void waitOfThePrimaryCountsThisReplica() {
        follow();
        awaitLink();
        for (int i = 0; i < 3; i++) {
            primary.run("incr", "n");
            assertThat(primary.run("wait", "1", "0")).isEqualTo(1L);
            assertThat(client.call("get", "n")).isEqualTo("$1 " + (i + 1));
        }
    }

    @Test
    void aLostConnectionContinuesWhereItWas() {
        follow();
        awaitLink();
        long before = field(infoOf(primary, "stats"), "sync_full");
        primary.run("client", "kill", "type", "replica");
        primary.run("set", "a", "1");
        assertSame();
        assertThat(field(infoOf(primary, "stats"), "sync_full")).isEqualTo(before);
        assertThat(field(infoOf(primary, "stats"), "sync_partial_ok")).isEqualTo(1);
    }

    private static String infoOf(RedisPeer peer, String section) {
        return ((Bytes) peer.run("info", section)).utf8();
    }

    /** Transactions of two keys are seen whole, whatever the moment. */
    @Test
    void transactionsOfTheStreamAreAtomic() throws Exception {
        follow();
        awaitLink();
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 500; i++) {
                primary.run("multi");
                primary.run("set", "left", Integer.toString(i));
                primary.run("set", "right", Integer.toString(i));
                primary.run("exec");
            }
        });
        writer.start();
        while (writer.isAlive()) {
            String both = client.call("mget", "left", "right");
            String[] words = both.split(" ", -1);
            assertThat(words[words.length - 1]).as(both).isEqualTo(words[2]);
        }
        writer.join();
        assertSame();
    }

    /** Both are killed in the middle; each comes back with what it had. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whoeverIsRestartedEndsWithTheSameKeys(long seed) throws Exception {
        face.close();
        Path data = ours.resolve("data");
        face = new FaceUnderTest(
                EmbeddedStore.open(
                        data, EngineOptions.DEFAULT.withMemory(32 << 20, 32 << 20), FileLogOptions.defaults()),
                options());
        client = face.connect();
        follow();
        Random random = new Random(seed);
        for (int round = 0; round < 4; round++) {
            awaitLink();
            write(random, 400);
            if (round % 2 == 0) {
                face.close();
                write(random, 50);
                face = new FaceUnderTest(
                        EmbeddedStore.open(
                                data, EngineOptions.DEFAULT.withMemory(32 << 20, 32 << 20), FileLogOptions.defaults()),
                        options());
                client = face.connect();
            } else {
                primary.kill();
                assertThat(client.call("set", "a", "1")).startsWith("-READONLY");
                primary = RedisPeer.startOn(primaryPort, theirs, KEEPS);
            }
        }
        write(random, 100);
        assertSame();
    }

    private void write(Random random, int count) {
        for (int i = 0; i < count; i++) {
            primary.run(PrimaryTest.change(random));
        }
    }

    @Test
    void withoutItsPrimaryItMayRefuseToServe() throws IOException {
        follow();
        awaitLink();
        assertThat(client.call("config", "set", "replica-serve-stale-data", "no"))
                .isEqualTo("+OK");
        primary.kill();
        Await.until("the link is down", () -> client.call("info", "replication").contains("master_link_status:down"));
        assertThat(client.call("get", "a"))
                .isEqualTo("-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.");
        assertThat(client.call("eval", "return redis.call('get', 'a')", "0"))
                .startsWith("-ERR Can not execute the command on a stale replica");
        assertThat(client.call("eval", "#!lua flags=allow-stale,no-writes\nreturn 1", "0"))
                .isEqualTo(":1");
        assertThat(client.call("eval", "#!lua flags=no-writes\nreturn 1", "0")).startsWith("-MASTERDOWN");
        primary = RedisPeer.startOn(primaryPort, theirs, KEEPS);
    }

    @Test
    void aPasswordIsGiven() {
        primary.run("config", "set", "requirepass", "secret");
        primary.run("auth", "secret");
        assertThat(client.call("config", "set", "masterauth", "secret")).isEqualTo("+OK");
        follow();
        awaitLink();
    }

    @Test
    void blockedClientsAreDisconnected() {
        TestClient blocked = face.connect();
        blocked.send("blpop", "q", "0");
        Await.until("it is blocked", () -> client.call("info", "clients").contains("blocked_clients:1"));
        follow();
        assertThat(blocked.read())
                .isEqualTo("-UNBLOCKED force unblock from blocking operation, instance state changed (master -> "
                        + "replica?)");
        assertThat(blocked.isClosedByServer()).isTrue();
    }

    /** A replica of this replica gets what the primary sends. */
    @Test
    void aReplicaHasReplicas() throws IOException {
        follow();
        awaitLink();
        Path third = java.nio.file.Files.createDirectory(theirs.resolve("third"));
        try (RedisPeer sub =
                RedisPeer.start(third, "--replicaof", "127.0.0.1 " + face.face().port())) {
            Await.until("it is online", () -> infoOf(sub, "replication").contains("master_link_status:up"));
            for (String line : List.of("set a 1", "rpush l 1 2 3", "zadd z 1 a", "del a")) {
                primary.run(line.split(" "));
            }
            assertSame();
            Object digest = primary.run("debug", "digest");
            Await.until("it is equal", () -> sub.run("debug", "digest").equals(digest));
        }
    }
}
