package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers of INFO, and what CLIENT lets a connection do to its own replies. */
class InfoTest {
    @TempDir
    private Path directory;

    private FaceUnderTest face;
    private TestClient client;

    @BeforeEach
    void start() {
        face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP.with("dir", directory.toString()));
        client = face.connect();
    }

    @AfterEach
    void stop() {
        face.close();
    }

    private long number(String section, String name) {
        Matcher line = Pattern.compile(name + "[:=](\\d+)").matcher(client.call("info", section));
        assertThat(line.find()).as("%s in %s", name, section).isTrue();
        return Long.parseLong(line.group(1));
    }

    @Test
    void countsKeysThatWillExpire() {
        client.call("set", "a", "1");
        client.call("set", "b", "1", "px", "60000");
        client.call("hset", "h", "f", "v");
        client.call("pexpire", "h", "20000");
        assertThat(number("keyspace", "keys")).isEqualTo(3);
        assertThat(number("keyspace", "expires")).isEqualTo(2);
        assertThat(number("keyspace", "avg_ttl")).isBetween(1L, 40_000L);
        client.call("persist", "b");
        client.call("pexpire", "h", "3000000");
        assertThat(number("keyspace", "expires")).isEqualTo(1);
        assertThat(number("keyspace", "avg_ttl")).isBetween(1_000_000L, 3_000_000L);
        client.call("rename", "h", "i");
        client.call("del", "i");
        assertThat(number("keyspace", "expires")).isZero();
        assertThat(number("keyspace", "avg_ttl")).isZero();
    }

    @Test
    void countsWhatReadersFind() {
        client.call("set", "a", "1");
        client.call("get", "a");
        client.call("mget", "a", "b", "c");
        client.call("exists", "b");
        assertThat(number("stats", "keyspace_hits")).isEqualTo(2);
        assertThat(number("stats", "keyspace_misses")).isEqualTo(3);
        client.call("config", "resetstat");
        assertThat(number("stats", "keyspace_hits")).isZero();
    }

    @Test
    void countsWhatExpired() {
        client.call("set", "a", "1", "px", "1");
        FaceUnderTest.await(() -> number("stats", "expired_keys") == 1);
        assertThat(client.call("dbsize")).isEqualTo(":0");
    }

    @Test
    void countsCommands() {
        client.call("get", "a");
        client.call("get", "a");
        client.call("get");
        assertThat(client.call("info", "commandstats"))
                .containsPattern("cmdstat_get:calls=2,usec=\\d+,usec_per_call=[\\d.]+,rejected_calls=1,failed_calls=0");
        assertThat(number("stats", "total_commands_processed")).isGreaterThanOrEqualTo(3);
        assertThat(client.call("info", "errorstats")).contains("errorstat_ERR:count=1");
    }

    @Test
    void countsScriptsAndFunctions() {
        assertThat(number("memory", "number_of_cached_scripts")).isZero();
        client.call("eval", "return 1", "0");
        client.call("script", "load", "return 2");
        client.call(
                "function",
                "load",
                "#!lua name=mine\nredis.register_function('one', function() return 1 end)\n"
                        + "redis.register_function('two', function() return 2 end)");
        assertThat(number("memory", "number_of_cached_scripts")).isEqualTo(2);
        assertThat(number("memory", "number_of_libraries")).isOne();
        assertThat(number("memory", "number_of_functions")).isEqualTo(2);
        assertThat(number("memory", "used_memory_vm_eval")).isPositive();
        assertThat(number("memory", "used_memory_scripts_eval")).isPositive();
        assertThat(number("memory", "used_memory_functions")).isGreaterThan(100);
        client.call("script", "flush");
        assertThat(number("memory", "number_of_cached_scripts")).isZero();
    }

    @Test
    void countsDenials() {
        client.call("acl", "setuser", "guest", "on", "nopass", "+get", "+publish", "+auth", "~a", "resetchannels");
        TestClient guest = face.connect();
        guest.call("auth", "guest", "any");
        guest.call("set", "a", "1");
        guest.call("get", "b");
        guest.call("get", "c");
        guest.call("publish", "news", "x");
        guest.call("auth", "nobody", "wrong");
        assertThat(number("stats", "acl_access_denied_cmd")).isOne();
        assertThat(number("stats", "acl_access_denied_key")).isEqualTo(2);
        assertThat(number("stats", "acl_access_denied_channel")).isOne();
        assertThat(number("stats", "acl_access_denied_auth")).isOne();
        client.call("config", "resetstat");
        assertThat(number("stats", "acl_access_denied_key")).isZero();
    }

    /** As in Redis: also on a timeout, and as failed when CLIENT UNBLOCK answers an error. */
    @Test
    void countsBlockedCommandsThatWereNotServed() {
        assertThat(client.call("blpop", "q", "0.01")).isEqualTo("*-1");
        TestClient blocked = face.connect();
        for (String reason : List.of("timeout", "error")) {
            String id = blocked.call("client", "id").substring(1);
            blocked.send("blpop", "q", "0");
            FaceUnderTest.await(
                    () -> client.call("client", "unblock", id, reason).equals(":1"));
            assertThat(blocked.read()).matches("[*]-1|-UNBLOCKED .*");
        }
        blocked.send("blpop", "q", "0");
        FaceUnderTest.await(() -> number("clients", "blocked_clients") == 1);
        client.call("rpush", "q", "v");
        assertThat(blocked.read()).isEqualTo("*2 $1 q $1 v");
        assertThat(client.call("info", "commandstats"))
                .containsPattern(
                        "cmdstat_blpop:calls=4,usec=\\d+,usec_per_call=[\\d.]+,rejected_calls=0,failed_calls=1");
    }

    @Test
    void countsChangesSinceTheLastSave() {
        assertThat(number("persistence", "rdb_changes_since_last_save")).isZero();
        client.call("set", "a", "1", "ex", "1000");
        client.call("mset", "a", "2", "b", "2");
        client.call("get", "a");
        client.call("del", "none");
        assertThat(number("persistence", "rdb_changes_since_last_save")).isEqualTo(3);
        assertThat(client.call("save")).isEqualTo("+OK");
        assertThat(number("persistence", "rdb_changes_since_last_save")).isZero();
        assertThat(number("persistence", "rdb_saves")).isOne();
        assertThat(number("persistence", "rdb_bgsave_in_progress")).isZero();
        client.call("del", "a", "b");
        assertThat(number("persistence", "rdb_changes_since_last_save")).isEqualTo(2);
    }

    /** Only XREADGROUP also ends when its key is gone. */
    @Test
    void countsKeysWhoseRemovalIsAwaited() {
        client.call("xgroup", "create", "s", "g", "$", "mkstream");
        TestClient list = face.connect();
        TestClient group = face.connect();
        list.send("blpop", "q", "0");
        group.send("xreadgroup", "group", "g", "c", "block", "0", "streams", "s", ">");
        FaceUnderTest.await(() -> number("clients", "total_blocking_keys") == 2);
        assertThat(number("clients", "total_blocking_keys_on_nokey")).isOne();
        client.call("del", "s");
        assertThat(group.read()).startsWith("-NOGROUP");
        assertThat(number("clients", "total_blocking_keys_on_nokey")).isZero();
    }

    @Test
    void countsWhatTheEventLoopsDo() {
        client.call("set", "large", "v".repeat(100_000));
        client.call("get", "large");
        assertThat(number("stats", "total_reads_processed")).isGreaterThanOrEqualTo(2);
        assertThat(number("stats", "total_writes_processed")).isGreaterThanOrEqualTo(2);
        assertThat(number("stats", "eventloop_cycles")).isGreaterThanOrEqualTo(2);
        long all = number("stats", "eventloop_duration_sum");
        assertThat(all).isPositive();
        assertThat(number("stats", "eventloop_duration_cmd_sum")).isPositive();
        client.call("config", "resetstat");
        assertThat(number("stats", "total_reads_processed")).isLessThanOrEqualTo(2);
    }

    @Test
    void repliesCanBeTurnedOff() {
        client.sendRaw(TestClient.request("client", "reply", "off")
                + TestClient.request("set", "a", "1")
                + TestClient.request("client", "reply", "on")
                + TestClient.request("get", "a"));
        assertThat(client.read(2)).containsExactly("+OK", "$1 1");
        client.sendRaw(TestClient.request("client", "reply", "skip")
                + TestClient.request("set", "a", "2")
                + TestClient.request("get", "a"));
        assertThat(client.read()).isEqualTo("$1 2");
    }

    @Test
    void aPauseHoldsWritersUntilItEnds() {
        TestClient writer = face.connect();
        client.call("client", "pause", "100000", "write");
        writer.send("set", "a", "1");
        assertThat(client.call("get", "a")).isEqualTo("$-1");
        assertThat(writer.hasReply()).isFalse();
        client.call("client", "unpause");
        assertThat(writer.read()).isEqualTo("+OK");
        client.call("client", "pause", "50");
        assertThat(client.call("get", "a")).isEqualTo("$1 1");
    }

    @Test
    void aPauseIsRefusedAsRedisDoes() {
        assertThat(client.call("client", "pause", "abc", "foo"))
                .isEqualTo("-ERR CLIENT PAUSE mode must be WRITE or ALL");
        assertThat(client.call("client", "pause", "abc", "write"))
                .isEqualTo("-ERR timeout is not an integer or out of range");
        assertThat(client.call("CLIENT", "PAUSE", "1", "ALL", "extra"))
                .isEqualTo("-ERR unknown subcommand or wrong number of arguments for 'PAUSE'. Try CLIENT HELP.");
    }

    @Test
    void clientsAreListedAsTheirIdsAreNamed() {
        TestClient other = face.connect();
        String own = client.call("client", "id").substring(1);
        String second = other.call("client", "id").substring(1);
        assertThat(client.call("client", "list", "id", second, own, "999999", second)
                        .lines()
                        .map(line -> line.replaceAll(".*?id=(\\d+) addr.*", "$1")))
                .containsExactly(second, own, second);
    }
}
