package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.MemoryStore;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every command about connections and the server answers at least once, over a socket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServerCommandsTest {
    private static final Set<String> ELSEWHERE = Set.of("quit", "shutdown");

    private final Set<String> asked = new HashSet<>();
    private FaceUnderTest face;
    private TestClient client;

    @BeforeAll
    void start() {
        face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP.with("enable-debug-command", "yes"));
        client = face.connect();
        client.call("set", "k", "v");
        client.call("zadd", "z", "1", "a");
    }

    @AfterAll
    void stop() {
        face.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acl cat | \\*\\d+ .*\\$9 sortedset.*",
                "acl getuser default | \\*\\d+ \\$5 flags .*",
                "acl help | \\*\\d+ \\+ACL <subcommand> .*",
                "acl list | \\*1 \\$\\d+ user default on .*",
                "acl users | \\*1 \\$7 default",
                "acl whoami | \\$7 default",
                "auth x | -ERR AUTH <password> called without any password .*",
                "bgrewriteaof | \\+Background append only file rewriting started",
                "bgsave | \\+Background saving started",
                "client caching yes | -ERR CLIENT CACHING can be called only when .*",
                "client getname | \\$-1",
                "client getredir | :-1",
                "client help | \\*\\d+ \\+CLIENT <subcommand> .*",
                "client id | :\\d+",
                "client info | \\$\\d+ id=\\d+ addr=127.0.0.1:\\d+ .* cmd=client.info .*",
                "client kill id 999999 | :0",
                "client list | \\$\\d+ id=\\d+ .*",
                "client no-evict on | \\+OK",
                "client no-touch on | \\+OK",
                "client pause 0 | \\+OK",
                "client reply on | \\+OK",
                "client setinfo lib-name test | \\+OK",
                "client setname me | \\+OK",
                "client tracking off | \\+OK",
                "client tracking on | -ERR CLIENT TRACKING ON is not supported .*",
                "client trackinginfo | \\*6 \\$5 flags \\*1 \\$3 off \\$8 redirect :-1 \\$8 prefixes \\*0",
                "client unblock 999999 | :0",
                "client unpause | \\+OK",
                "command | \\*\\d+ \\*10 .*",
                "command count | :\\d+",
                "command docs zadd | \\*2 \\$4 zadd \\*\\d+ \\$7 summary .*\\$9 arguments .*",
                "command getkeys zunionstore t 2 a b | \\*3 \\$1 t \\$1 a \\$1 b",
                "command getkeysandflags set k v | \\*1 \\*2 \\$1 k \\*\\d+ \\+OW .*",
                "command help | \\*\\d+ \\+COMMAND <subcommand> .*",
                "command info get | \\*1 \\*10 \\$3 get :2 .*",
                "command list | \\*\\d+ .*",
                "config get maxclients | \\*2 \\$10 maxclients \\$5 10000",
                "config help | \\*\\d+ \\+CONFIG <subcommand> .*",
                "config resetstat | \\+OK",
                "config rewrite | -ERR The server is running without a config file",
                "config set timeout 0 | \\+OK",
                "debug sleep 0 | \\+OK",
                "echo hi | \\$2 hi",
                "failover | -ERR FAILOVER requires connected replicas.",
                "hello 2 | \\*14 \\$6 server \\$5 redis \\$7 version \\$5 7.2.5 .*",
                "info keyspace | \\$\\d+ # Keyspace\\s+db0:keys=2,expires=0,avg_ttl=0\\s+",
                "lastsave | :\\d+",
                "latency doctor | \\$\\d+ .*",
                "latency graph nosuch | -ERR No samples available for event 'nosuch'",
                "latency help | \\*\\d+ \\+LATENCY <subcommand> .*",
                "latency histogram nosuch | \\*0",
                "latency history nosuch | \\*0",
                "latency latest | \\*0",
                "latency reset | :0",
                "lolwut | \\$\\d+ Redis ver. 7.2.5\\s+",
                "memory doctor | \\$\\d+ .*",
                "memory help | \\*\\d+ \\+MEMORY <subcommand> .*",
                "memory malloc-stats | \\$\\d+ .*",
                "memory purge | \\+OK",
                "memory stats | \\*\\d+ \\$14 peak.allocated .*",
                "memory usage k | :\\d+",
                "module help | \\*\\d+ \\+MODULE <subcommand> .*",
                "module list | \\*0",
                "monitor | -ERR MONITOR is not supported .*",
                "ping | \\+PONG",
                "replicaof no one | \\+OK",
                "reset | \\+RESET",
                "role | \\*3 \\$6 master :0 \\*0",
                "pfselftest | \\+OK",
                "save | \\+OK",
                "select 0 | \\+OK",
                "slaveof no one | \\+OK",
                "slowlog get | \\*\\d+.*",
                "slowlog help | \\*\\d+ \\+SLOWLOG <subcommand> .*",
                "slowlog len | :\\d+",
                "slowlog reset | \\+OK",
                "time | \\*2 \\$10 \\d+ \\$\\d \\d+"
            })
    void answers(String request, String reply) {
        String[] words = request.split(" ", -1);
        asked.add(words[0]);
        if (words.length > 1) {
            asked.add(words[0] + "|" + words[1]);
        }
        assertThat(client.call(words)).matches("(?s)" + reply);
    }

    @Test
    void theSlowLogKeepsNoPasswords() {
        client.call("config", "set", "slowlog-log-slower-than", "0");
        client.call("auth", "default", "secret");
        client.call("hello", "2", "auth", "default", "secret");
        client.call("config", "set", "maxclients", "10000", "requirepass", "secret");
        client.call("config", "set", "requirepass", "");
        client.call("acl", "getuser", "secret");
        String log = client.call("slowlog", "get", "10");
        client.call("config", "set", "slowlog-log-slower-than", "10000");
        assertThat(log).contains("(redacted)", "maxclients", "requirepass").doesNotContain("secret");
    }

    @Test
    void nothingIsForgotten() {
        Set<String> forgotten = new TreeSet<>();
        face.face().commands().commands().forEach(command -> {
            if (!asked.contains(command.name()) && command.keys().isEmpty()) {
                forgotten.add(command.name());
            }
            command.subcommands().forEach(sub -> {
                if (asked.contains(command.name()) && !asked.contains(sub.fullName())) {
                    forgotten.add(sub.fullName());
                }
            });
        });
        forgotten.removeAll(ELSEWHERE);
        forgotten.removeAll(Set.of("dbsize", "flushall", "flushdb", "keys", "randomkey", "scan", "swapdb", "wait"));
        // TransactionTest has these.
        forgotten.removeAll(Set.of("discard", "exec", "multi", "unwatch"));
        forgotten.removeIf(name -> name.startsWith("object"));
        assertThat(forgotten).isEmpty();
    }
}
