package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.RedisPeer;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.FreePort;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stock redis-server as a replica of this server ends with the same keys, whatever happened between. */
class PrimaryTest {
    private static final String[] DEBUG = {"--enable-debug-command", "yes", "--repl-timeout", "5"};

    @TempDir
    private Path ours;

    @TempDir
    private Path theirs;

    @TempDir
    private Path compared;

    private final int replicaPort = FreePort.find();
    private FaceUnderTest face;
    private TestClient client;
    private @Nullable RedisPeer started;

    @BeforeEach
    void start() throws IOException {
        Program.REDIS_SERVER.require();
        face = new FaceUnderTest(
                new MemoryStore(),
                RedisOptions.defaults().withPort(0).withThreads(2).with("dir", ours.toString()));
        client = face.connect();
    }

    @AfterEach
    void stop() throws IOException {
        if (started != null) {
            started.close();
        }
        face.close();
    }

    private void follow() throws IOException {
        List<String> options = new ArrayList<>(List.of(DEBUG));
        options.addAll(List.of("--replicaof", "127.0.0.1 " + face.face().port()));
        started = RedisPeer.startOn(replicaPort, theirs, options.toArray(String[]::new));
    }

    private RedisPeer replica() {
        return Objects.requireNonNull(started);
    }

    private void awaitLink() {
        Await.until("the replica is online", () -> info(replica(), "replication", "master_link_status:up"));
    }

    private static boolean info(RedisPeer peer, String section, String text) {
        return peer.run("info", section) instanceof Bytes report
                && report.utf8().contains(text);
    }

    /** The replica has everything that was acknowledged; it then has the keys that an export has. */
    private void assertSame() throws IOException {
        awaitLink();
        Await.until(
                "what expires soon has expired",
                () -> !client.call("eval", EXPIRES_SOON, "0").equals(":1"));
        Await.until("the replica has everything", () -> offset(client.call("info", "replication")) == offset(report()));
        assertThat(client.call("save")).isEqualTo("+OK");
        Files.copy(ours.resolve("dump.rdb"), compared.resolve("dump.rdb"), StandardCopyOption.REPLACE_EXISTING);
        try (RedisPeer loaded = RedisPeer.start(compared, DEBUG)) {
            if (!loaded.run("debug", "digest").equals(replica().run("debug", "digest"))) {
                assertThat(contents(replica())).isEqualTo(contents(loaded));
            }
            assertThat(replica().run("debug", "digest")).isEqualTo(loaded.run("debug", "digest"));
            assertSameOrders(loaded);
        }
    }

    private static final String EXPIRES_SOON = "for _, k in ipairs(redis.call('keys', '*')) do "
            + "local t = redis.call('pttl', k) if t >= 0 and t < 1000000 then return 1 end end "
            // A key that has expired may still be there, here and in the replica, until it is removed.
            + "return redis.call('dbsize') == #redis.call('keys', '*') and 0 or 1";

    private String report() {
        return ((Bytes) replica().run("info", "replication")).utf8();
    }

    private static long offset(String report) {
        Matcher line = Pattern.compile("master_repl_offset:(\\d+)").matcher(report);
        assertThat(line.find()).isTrue();
        return Long.parseLong(line.group(1));
    }

    private void assertSameOrders(RedisPeer loaded) {
        for (Object key : (List<?>) loaded.run("keys", "*")) {
            String name = ((Bytes) key).utf8();
            assertThat(replica().run("pexpiretime", name)).as(name).isEqualTo(loaded.run("pexpiretime", name));
            if (loaded.run("object", "encoding", name).equals(Bytes.utf8("listpack"))
                    && loaded.run("type", name).equals("hash")) {
                assertThat(replica().run("hgetall", name)).as(name).isEqualTo(loaded.run("hgetall", name));
            }
            if (loaded.run("type", name).equals("stream")) {
                for (String question : List.of("stream", "groups")) {
                    assertThat(withoutNodes(replica().run("xinfo", question, name)))
                            .as(name)
                            .isEqualTo(withoutNodes(loaded.run("xinfo", question, name)));
                }
            }
        }
    }

    private static List<Object> withoutNodes(Object reply) {
        List<Object> rest = new ArrayList<>((List<?>) reply);
        int keys = rest.indexOf(Bytes.utf8("radix-tree-keys"));
        if (keys >= 0) {
            rest.subList(keys, keys + 4).clear();
        }
        return rest;
    }

    /** For a failure: each key with its digest. */
    private static List<String> contents(RedisPeer peer) {
        List<String> all = new ArrayList<>();
        for (int database = 0; database < 16; database++) {
            peer.run("select", Integer.toString(database));
            for (Object key : (List<?>) peer.run("keys", "*")) {
                String name = ((Bytes) key).utf8();
                all.add(database + " " + name + " " + peer.run("type", name) + " "
                        + peer.run("debug", "digest-value", name) + " " + peer.run("pexpiretime", name));
            }
        }
        peer.run("select", "0");
        all.sort(null);
        return all;
    }

    @Test
    void everyTypeOfChangeReachesTheReplica() throws IOException {
        client.call("set", "before", "1");
        client.call("rpush", "queue", "a", "b", "c");
        follow();
        awaitLink();
        for (String line : CHANGES.lines().toList()) {
            String reply = client.call(line.trim().split(" "));
            assertThat(reply).as(line).doesNotStartWith("-");
        }
        client.call(
                "function",
                "load",
                "#!lua name=lib\nredis.register_function{function_name='one',callback=function() return 1 end,flags={'no-writes'}}");
        client.call("function", "load", "#!lua name=gone\nredis.register_function('two', function() return 2 end)");
        client.call("function", "delete", "gone");
        assertSame();
        assertThat(replica().run("fcall", "one", "0")).isEqualTo(1L);
        assertThat(replica().run("fcall", "two", "0")).asString().startsWith("error:");
        assertThat(client.call("role")).contains("master").contains(Integer.toString(replicaPort));
        assertThat(client.call("info", "replication"))
                .contains("connected_slaves:1")
                .contains("state=online");
        assertThat(client.call("client", "list", "type", "replica")).contains("flags=S");
    }

    static final String CHANGES = """
            set s 1
            set s 2 px 100000000
            incr s
            persist s
            expire s 100000
            append s xyz
            getex s persist
            set gone 1
            del gone
            setbit big 900000 1
            setbit big 10 1
            setrange big 500 hello
            append big tail
            hset h a 1 b 2 c 3
            hdel h a
            hset order z 1 y 2 x 3 w 4
            hdel order y
            hset order y 5 a 6
            multi
            hdel order z
            hset order b 7 z 8
            hset order x 9
            exec
            hincrbyfloat h b 0.1
            pexpireat h 4000000000000
            sadd set 1 2 3 x y
            spop set
            srem set x
            zadd z 1 a 2 b -inf c 3.3333333333333335 d
            zincrby z 5 a
            zrem z b
            zpopmin z
            rpush l a b c d e f
            lpush l z
            lpop l
            rpop l 2
            lset l 1 new
            linsert l before new mid
            rpush l after
            lrem l 1 mid
            ltrim l 1 2
            lmove l l2 left right
            rename l2 l3
            copy l3 l4
            rpush l4 more
            select 5
            set other 1
            move other 6
            select 6
            rename other moved
            select 0
            xadd st 1-1 f v g w
            xadd st 1-2 f v g w
            xadd st * h i
            xgroup create st grp 0
            xreadgroup group grp c1 count 2 streams st >
            xack st grp 1-1
            xclaim st grp c2 0 1-2
            xgroup createconsumer st grp c3
            xgroup delconsumer st grp c3
            xdel st 1-1
            xadd st maxlen 2 * last one
            xgroup create st2 grp $ mkstream
            xgroup create st2 gone $
            xgroup destroy st2 gone
            xsetid st 9999999999999-1 entriesadded 50 maxdeletedid 5-5
            multi
            set m1 1
            hset m2 f v
            rename m1 m3
            set m1 again
            exec
            set left L
            rpush right R
            multi
            rename left tmp
            rename right left
            rename tmp right
            exec
            sadd x 1 2
            sadd y 3 4
            multi
            rename x tmp
            rename y x
            rename tmp y
            exec
            eval return{redis.call('set',KEYS[1],redis.call('incr',KEYS[2])),redis.call('lpush',KEYS[3],ARGV[1])} 3 e1 e2 e3 a
            pfadd hll a b c d
            geoadd geo 13.361389 38.115556 Palermo
            bitfield bf set u8 0 255
            select 3
            set swapped 1
            select 4
            rpush swapped a
            swapdb 3 4
            set flushed 1
            flushdb
            set kept 1
            select 0
            """;

    /** Writers on all types while the replica is killed and comes back, with and without its data. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aReplicaThatIsKilledInTheMiddleEndsWithTheSameKeys(long seed) throws Exception {
        follow();
        Thread[] writers = new Thread[2];
        for (int i = 0; i < writers.length; i++) {
            Random random = new Random(seed * 31 + i);
            TestClient connection = face.connect();
            writers[i] = new Thread(() -> write(connection, random, 3000), "writer-" + i);
            writers[i].start();
        }
        awaitLink();
        replica().kill();
        follow();
        for (Thread writer : writers) {
            writer.join();
        }
        assertSame();
    }

    private static void write(TestClient connection, Random random, int count) {
        for (int i = 0; i < count; i++) {
            connection.call(change(random));
        }
    }

    /** A change of some key of some type, which may fail. */
    static String[] change(Random random) {
        String key = "k" + random.nextInt(8);
        String word = "w" + random.nextInt(20);
        String other = "k" + random.nextInt(8);
        String[] choices = {
            "set s" + key + " " + word,
            "append s" + key + " " + word,
            "set s" + key + " " + word + " px 50",
            "setrange s" + key + " " + random.nextInt(40000) + " " + word,
            "hset h" + key + " " + word + " " + random.nextInt(),
            "hdel h" + key + " " + word,
            "sadd m" + key + " " + word,
            "srem m" + key + " " + word,
            "spop m" + key,
            "zadd z" + key + " " + random.nextGaussian() + " " + word,
            "zrem z" + key + " " + word,
            "zpopmax z" + key,
            "rpush l" + key + " " + word + " x",
            "lpush l" + key + " " + word,
            "lpop l" + key,
            "rpop l" + key,
            "lset l" + key + " 0 " + word,
            "lrem l" + key + " 1 " + word,
            "linsert l" + key + " before " + word + " i",
            "ltrim l" + key + " 0 20",
            "lmove l" + key + " l" + other + " left right",
            "xadd x" + key + " * f " + word,
            "xadd x" + key + " maxlen 10 * f " + word,
            "xgroup create x" + key + " g 0 mkstream",
            "xreadgroup group g c" + word + " count 3 streams x" + key + " >",
            "xautoclaim x" + key + " g c1 0 0",
            "del l" + key,
            "rename h" + key + " h" + other,
            "copy z" + key + " z" + other + " replace",
            "pexpire h" + key + " " + (random.nextBoolean() ? 50 : 100_000_000),
            "sinterstore m" + key + " m" + other + " m" + word,
            "eval redis.call('rpush',KEYS[1],'a','b')redis.call('lpop',KEYS[1])redis.call('hset',KEYS[2],'e',redis.call('llen',KEYS[1])) 2 l"
                    + key + " h" + key
        };
        return choices[random.nextInt(choices.length)].split(" ");
    }

    /** Within the backlog a replica that lost its connection only gets what it missed. */
    @Test
    void aReplicaThatLosesItsConnectionContinues() throws IOException {
        follow();
        awaitLink();
        client.call("set", "a", "1");
        assertThat(client.call("wait", "1", "60000")).isEqualTo(":1");
        assertThat(client.call("client", "kill", "type", "replica")).isEqualTo(":1");
        client.call("set", "a", "2");
        assertSame();
        assertThat(replica().run("get", "a")).isEqualTo(Bytes.utf8("2"));
        String log = Files.readString(theirs.resolve("redis.log"));
        assertThat(log).contains("Successful partial resynchronization with master");
        assertThat(client.call("info", "stats"))
                .contains("sync_full:1\r\n", "sync_partial_ok:1\r\n", "sync_partial_err:0\r\n")
                .doesNotContain("total_net_repl_output_bytes:0\r\n");
        assertThat(client.call("info", "memory")).doesNotContain("mem_replication_backlog:0\r\n");
    }

    @Test
    void messagesReachTheReplica() throws IOException {
        follow();
        awaitLink();
        client.call("publish", "news", "one");
        client.call("multi");
        client.call("set", "a", "1");
        client.call("publish", "news", "two");
        client.call("exec");
        client.call("eval", "return redis.call('spublish', 'shard', 'three')", "0");
        Await.until(
                "the messages are there",
                () -> info(replica(), "commandstats", "cmdstat_publish:calls=2")
                        && info(replica(), "commandstats", "cmdstat_spublish:calls=1"));
        assertSame();
    }

    /** As in Redis, also inside EXEC and for a script that writes. */
    @Test
    void writesNeedAsManyReplicasAsConfigured() throws IOException {
        client.call("config", "set", "min-replicas-to-write", "1");
        String refused = "-NOREPLICAS Not enough good replicas to write.";
        assertThat(client.call("set", "a", "1")).isEqualTo(refused);
        assertThat(client.call("get", "a")).isEqualTo("$-1");
        assertThat(client.call("eval", "return redis.call('set', KEYS[1], 'x')", "1", "a"))
                .startsWith(refused);
        client.call("multi");
        client.call("get", "a");
        assertThat(client.call("set", "a", "1")).isEqualTo(refused);
        assertThat(client.call("exec")).startsWith("-EXECABORT");
        follow();
        awaitLink();
        Await.until("the write is allowed", () -> client.call("set", "a", "1").equals("+OK"));
        client.call("config", "set", "min-replicas-to-write", "0");
    }

    @Test
    void redisCliReceivesAFile() throws IOException {
        client.call("set", "a", "1");
        client.call("rpush", "l", "1", "2");
        Path file = compared.resolve("dump.rdb");
        Process cli = new ProcessBuilder(
                        Program.REDIS_CLI.require().toString(),
                        "-p",
                        Integer.toString(face.face().port()),
                        "--rdb",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(cli.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(cli.onExit().join().exitValue()).as(output).isZero();
        try (RedisPeer loaded = RedisPeer.start(compared, DEBUG)) {
            assertThat(loaded.run("dbsize")).isEqualTo(2L);
            assertThat(loaded.run("llen", "l")).isEqualTo(2L);
        }
    }

    @Test
    void waitCountsReplicasThatHaveEverything() throws IOException {
        assertThat(client.call("wait", "0", "0")).isEqualTo(":0");
        assertThat(client.call("wait", "1", "10")).isEqualTo(":0");
        follow();
        awaitLink();
        client.call("set", "a", "1");
        assertThat(client.call("wait", "1", "0")).isEqualTo(":1");
        assertThat(replica().run("get", "a")).isEqualTo(Bytes.utf8("1"));
        assertThat(client.call("wait", "2", "50")).isEqualTo(":1");
    }
}
