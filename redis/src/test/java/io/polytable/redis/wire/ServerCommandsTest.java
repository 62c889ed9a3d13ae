package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every command about connections and the server answers at least once, over a socket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServerCommandsTest {
    /** What changes the connection for good is asked in tests of its own. */
    private static final Set<String> ELSEWHERE =
            Set.of("monitor", "psubscribe", "punsubscribe", "quit", "shutdown", "subscribe", "unsubscribe");

    private final Set<String> asked = new HashSet<>();
    private FaceUnderTest face;
    private TestClient client;

    @BeforeAll
    void start(@TempDir Path directory) {
        face = new FaceUnderTest(
                new MemoryStore(),
                FaceUnderTest.ONE_LOOP.with("enable-debug-command", "yes").with("dir", directory.toString()));
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
                "acl deluser nobody | :0",
                "acl dryrun default get k | \\+OK",
                "acl genpass 9 | \\$3 [0-9a-f]{3}",
                "acl genpass | \\$64 [0-9a-f]{64}",
                "acl getuser default | \\*\\d+ \\$5 flags .*",
                "acl help | \\*\\d+ \\+ACL <subcommand> .*",
                "acl list | \\*1 \\$\\d+ user default on .*",
                "acl log | \\*0",
                "acl load | -ERR This Redis instance is not configured to use an ACL file.*",
                "acl save | -ERR This Redis instance is not configured to use an ACL file.*",
                "acl setuser bob | \\+OK",
                "acl users | \\*2 \\$3 bob \\$7 default",
                "acl whoami | \\$7 default",
                "asking | -ERR This instance has cluster support disabled",
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
                "client tracking on | \\+OK",
                "client tracking off | \\+OK",
                "client trackinginfo | \\*6 \\$5 flags \\*1 \\$3 off \\$8 redirect :-1 \\$8 prefixes \\*0",
                "client unblock 999999 | :0",
                "client unpause | \\+OK",
                "cluster countkeysinslot 7629 | :1",
                "cluster countkeysinslot 16384 | -ERR Invalid slot",
                "cluster getkeysinslot 7629 5 | \\*1 \\$1 k",
                "cluster getkeysinslot 7629 -1 | -ERR Invalid slot or number of keys",
                "cluster help | \\*\\d+ \\+CLUSTER <subcommand> .*",
                "cluster info | \\$\\d+ cluster_state:ok\\s+cluster_slots_assigned:16384.*",
                "cluster keyslot {a}b | :15495",
                "cluster myid | \\$40 [0-9a-f]+",
                "cluster myshardid | \\$40 [0-9a-f]+",
                "cluster nodes | \\$\\d+ [0-9a-f]{40} 127.0.0.1:\\d+@0 myself,master - 0 0 0 connected 0-16383\\s+",
                "cluster shards | \\*1 \\*4 \\$5 slots \\*2 :0 :16383 \\$5 nodes \\*1 .* \\$2 ip \\$9 127.0.0.1 .*",
                "cluster slots | \\*1 \\*3 :0 :16383 \\*4 \\$9 127.0.0.1 :\\d+ \\$40 .*",
                "cluster addslots 1 | -ERR This instance has cluster support disabled",
                "cluster addslotsrange 1 2 | -ERR This instance has cluster support disabled",
                "cluster bumpepoch | -ERR This instance has cluster support disabled",
                "cluster count-failure-reports x | -ERR This instance has cluster support disabled",
                "cluster delslots 1 | -ERR This instance has cluster support disabled",
                "cluster delslotsrange 1 2 | -ERR This instance has cluster support disabled",
                "cluster failover | -ERR This instance has cluster support disabled",
                "cluster flushslots | -ERR This instance has cluster support disabled",
                "cluster forget x | -ERR This instance has cluster support disabled",
                "cluster links | -ERR This instance has cluster support disabled",
                "cluster meet a 1 | -ERR This instance has cluster support disabled",
                "cluster replicas x | -ERR This instance has cluster support disabled",
                "cluster replicate x | -ERR This instance has cluster support disabled",
                "cluster reset | -ERR This instance has cluster support disabled",
                "cluster saveconfig | -ERR This instance has cluster support disabled",
                "cluster set-config-epoch 1 | -ERR This instance has cluster support disabled",
                "cluster setslot 1 stable | -ERR This instance has cluster support disabled",
                "cluster slaves x | -ERR This instance has cluster support disabled",
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
                "debug reload | \\+OK",
                "debug loadaof | \\+OK",
                "debug stringmatch-len 20 a* | :1",
                "debug stringmatch-len 20 a*b | :0",
                "debug stringmatch-len 99999999 a | -ERR the length is not between .*",
                "echo hi | \\$2 hi",
                "eval x 0 | -ERR Error compiling script \\(new function\\): user_script:1: '=' expected near '<eof>'",
                "failover | -ERR FAILOVER requires connected replicas.",
                "failover abort | -ERR No failover in progress.",
                "failover timeout 0 | -ERR FAILOVER timeout must be greater than 0",
                "failover to host | -ERR syntax error",
                "function delete x | -ERR Library not found",
                "function flush | \\+OK",
                "function help | \\*\\d+ \\+FUNCTION <subcommand> .*",
                "function kill | -NOTBUSY No scripts in execution right now.",
                "function list | \\*0",
                "function load x | -ERR Missing library metadata",
                "function restore x | -ERR DUMP payload version or checksum are wrong",
                "function dump x | -ERR wrong number of arguments for .*",
                "script debug yes | -ERR The debugger of scripts is not supported by this server",
                "script debug no | .OK",
                "function stats | \\*4 \\$14 running_script \\$-1 .*",
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
                "lolwut version x | -ERR value is not an integer or out of range",
                "memory doctor | \\$\\d+ .*",
                "memory help | \\*\\d+ \\+MEMORY <subcommand> .*",
                "memory malloc-stats | \\$\\d+ .*",
                "memory purge | \\+OK",
                "memory stats | \\*\\d+ \\$14 peak.allocated .*",
                "memory usage k | :\\d+",
                "module help | \\*\\d+ \\+MODULE <subcommand> .*",
                "module list | \\*0",
                "module load x | -ERR MODULE command not allowed. If the enable-module-command .*",
                "module loadex x | -ERR MODULE command not allowed. .*",
                "module unload x | -ERR MODULE command not allowed. .*",
                "ping | \\+PONG",
                "psync ? | -ERR wrong number of arguments for .psync. command",
                "publish nobody hears | :0",
                "pubsub channels | \\*0",
                "pubsub help | \\*\\d+ \\+PUBSUB <subcommand> .*",
                "pubsub numpat | :0",
                "pubsub numsub a | \\*2 \\$1 a :0",
                "pubsub shardchannels | \\*0",
                "pubsub shardnumsub a | \\*2 \\$1 a :0",
                "readonly | -ERR This instance has cluster support disabled",
                "readwrite | -ERR This instance has cluster support disabled",
                "replconf | \\+OK",
                "replconf listening-port 1 | \\+OK",
                "replicaof no one | \\+OK",
                "reset | \\+RESET",
                "role | \\*3 \\$6 master :0 \\*0",
                "pfselftest | \\+OK",
                "save | (\\+OK)?(-ERR Background save already in progress)?",
                "script exists a b | \\*2 :0 :0",
                "script flush | \\+OK",
                "script help | \\*\\d+ \\+SCRIPT <subcommand> .*",
                "script kill | -NOTBUSY No scripts in execution right now.",
                "script load x | -ERR Error compiling script \\(new function\\): user_script:1: '=' expected near '<eof>'",
                "select 0 | \\+OK",
                "shutdown abort | -ERR No shutdown in progress.",
                "shutdown now abort | -ERR syntax error",
                "shutdown save nosave | -ERR syntax error",
                "slaveof no one | \\+OK",
                "slowlog get | \\*\\d+.*",
                "slowlog help | \\*\\d+ \\+SLOWLOG <subcommand> .*",
                "slowlog len | :\\d+",
                "slowlog reset | \\+OK",
                "sync now | -ERR wrong number of arguments for .sync. command",
                "waitaof 1 0 0 | \\*2 :1 :0",
                "waitaof 0 0 0 | \\*2 :1 :0",
                "waitaof 0 1 1 | \\*2 :1 :0",
                "waitaof 2 0 0 | -ERR value is out of range, value must between 0 and 1",
                "waitaof 1 -1 0 | -ERR value is out of range, must be positive",
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
        client.call("migrate", "host", "1", "key", "0", "1", "auth", "secret");
        client.call("migrate", "host", "1", "key", "0", "1", "auth2", "secret", "secret");
        String log = client.call("slowlog", "get", "12");
        client.call("config", "set", "slowlog-log-slower-than", "10000");
        assertThat(log).contains("(redacted)", "maxclients", "requirepass").doesNotContain("secret");
    }

    /** An older spelling is the same parameter; a promise that cannot be kept is refused. */
    @Test
    void parametersThatSteerNothingAreAnsweredFor() {
        assertThat(client.call("config", "set", "hash-max-ziplist-entries", "7"))
                .isEqualTo("+OK");
        assertThat(client.call("config", "get", "hash-max-listpack-entries")).endsWith("$1 7");
        client.call("config", "set", "hash-max-listpack-entries", "512");
        assertThat(client.call("config", "get", "hash-max-ziplist-entries")).endsWith("$3 512");
        assertThat(client.call("config", "set", "tls-cert-file", "x")).contains("this server can only have none");
        assertThat(client.call("config", "set", "supervised", "auto")).contains("can't set immutable config");
    }

    /** Setup scripts send these; the log holds every commit, whatever they say. */
    @Test
    void aServerMayPersistMoreThanItIsAskedFor() {
        assertThat(client.call("config", "set", "appendonly", "no", "appendfsync", "no", "protected-mode", "no"))
                .isEqualTo("+OK");
        assertThat(client.call("config", "get", "append*y")).isEqualTo("*2 $10 appendonly $2 no");
        assertThat(client.call("config", "get", "appendfsync")).endsWith("$2 no");
        assertThat(client.call("config", "set", "appendfsync", "always"))
                .contains("this server can only have everysec");
        assertThat(client.call("config", "set", "appendonly", "yes", "appendfsync", "everysec"))
                .isEqualTo("+OK");
        assertThat(client.call("config", "get", "appendfsync")).endsWith("everysec");
    }

    @Test
    void savePointsAreSecondsAndChanges() {
        assertThat(client.call("config", "set", "save", "900 1 300 10")).isEqualTo("+OK");
        assertThat(client.call("config", "get", "save")).isEqualTo("*2 $4 save $12 900 1 300 10");
        for (String wrong : List.of("900", "0 1", "x 1", "1 -1")) {
            assertThat(client.call("config", "set", "save", wrong)).endsWith("Invalid save parameters");
        }
        assertThat(client.call("config", "set", "save", "")).isEqualTo("+OK");
        assertThat(client.call("config", "get", "save")).isEqualTo("*2 $4 save $0 ");
    }

    @Test
    void infoShowsTheConfiguredPercentiles() {
        String name = "latency-tracking-info-percentiles";
        assertThat(client.call("config", "set", name, "0 33.33333333 100.0")).isEqualTo("+OK");
        assertThat(client.call("config", "get", name)).endsWith("$15 0 33.333333 100");
        assertThat(client.call("info", "latencystats"))
                .containsPattern("config\\|get:p0=[0-9.]+,p33\\.333333=[0-9.]+,p100=[0-9.]+");
        assertThat(client.call("config", "set", name, "")).isEqualTo("+OK");
        assertThat(client.call("info", "latencystats")).containsPattern("config\\|get:\\s");
        assertThat(client.call("config", "set", name, "50 101")).endsWith("should sit between [0.0,100.0]");
        assertThat(client.call("config", "set", name, "50  99")).endsWith("Invalid " + name + " parameters");
        client.call("config", "set", name, "50 99 99.9");
        client.call("config", "set", "latency-tracking", "no");
        assertThat(client.call("info", "latencystats"))
                .contains("# Latencystats")
                .doesNotContain("latency_percentiles");
        client.call("config", "set", "latency-tracking", "yes");
    }

    @Test
    void aSizeMayBeAsLargeAsALong() {
        String name = "client-query-buffer-limit";
        assertThat(client.call("config", "set", name, "9223372036854775807")).isEqualTo("+OK");
        assertThat(client.call("config", "set", name, "9223372036854775808")).startsWith("-ERR CONFIG SET failed");
        client.call("config", "set", name, "1gb");
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
        forgotten.removeIf(name -> name.matches("(object|xgroup|xinfo).*"));
        assertThat(forgotten).isEmpty();
    }
}
