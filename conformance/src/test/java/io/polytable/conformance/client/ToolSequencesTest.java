package io.polytable.conformance.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.RespConnection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands that an exporter of metrics and a graphical client send, in their order: what the reference answers without
 * an error must not be an error here, and both must answer with the same kind of reply.
 */
@OnSharedServers
class ToolSequencesTest {
    /** As redis_exporter sends them with all of its options, for one key of each type. */
    private static final String EXPORTER = """
            CLIENT SETNAME redis_exporter
            PING
            CONFIG GET *
            INFO ALL
            LATENCY LATEST
            LATENCY HISTOGRAM
            SLOWLOG LEN
            SLOWLOG GET 1
            CLIENT LIST
            SELECT 0
            SCAN 0 MATCH * COUNT 1000
            TYPE text
            PFCOUNT sketch
            STRLEN text
            GET text
            HLEN hash
            LLEN list
            SCARD set
            ZCARD zset
            XLEN stream
            XINFO STREAM stream
            XINFO GROUPS stream
            XINFO CONSUMERS stream group
            MEMORY USAGE hash
            EVAL return(redis.call('memory','usage',KEYS[1])) 1 hash
            SCRIPT EXISTS 0000000000000000000000000000000000000000
            ROLE
            """;

    /** As RedisInsight sends them to connect, to list and open keys, and for its analysis, profiler and slow log. */
    private static final String INSIGHT = """
            HELLO 3
            CLIENT SETNAME redisinsight-common-0123
            CLIENT SETINFO lib-name redisinsight
            INFO
            COMMAND
            COMMAND COUNT
            MODULE LIST
            CONFIG GET databases
            INFO keyspace
            INFO server
            INFO memory
            INFO clients
            INFO stats
            DBSIZE
            ACL WHOAMI
            ACL CAT
            COMMAND INFO get json.get ft.search
            SCAN 0 MATCH * COUNT 10000
            SCAN 0 MATCH * COUNT 10000 TYPE hash
            TYPE hash
            TTL hash
            PTTL hash
            MEMORY USAGE hash SAMPLES 0
            OBJECT ENCODING hash
            OBJECT IDLETIME hash
            HSCAN hash 0 COUNT 500 MATCH *
            HLEN hash
            LRANGE list 0 500
            LLEN list
            LINDEX list 0
            SSCAN set 0 MATCH * COUNT 500
            ZRANGE zset 0 499 WITHSCORES
            ZSCAN zset 0 MATCH * COUNT 500
            XINFO STREAM stream FULL
            XINFO GROUPS stream
            XINFO CONSUMERS stream group
            XPENDING stream group
            XPENDING stream group - + 500
            XREVRANGE stream + - COUNT 500
            GETRANGE text 0 4999
            STRLEN text
            DUMP text
            EXPIRE text 1000
            PERSIST text
            CONFIG GET slowlog-log-slower-than
            CONFIG GET slowlog-max-len
            CONFIG SET slowlog-log-slower-than 10000
            SLOWLOG GET 50
            SLOWLOG RESET
            PUBSUB CHANNELS *
            PUBSUB SHARDCHANNELS *
            CLIENT LIST
            CLIENT TRACKINGINFO
            MEMORY DOCTOR
            MEMORY STATS
            LATENCY DOCTOR
            FUNCTION LIST
            CONFIG GET maxmemory*
            CONFIG GET notify-keyspace-events
            OBJECT FREQ hash
            JSON.GET hash
            FT._LIST
            UNLINK none
            RENAMENX text text2
            """;

    private static final String KEYS = """
            FLUSHALL
            SET text value
            PFADD sketch a b c
            HSET hash f v
            RPUSH list a b
            SADD set a b
            ZADD zset 1 a 2 b
            XADD stream 1-1 f v
            XGROUP CREATE stream group 0
            XREADGROUP GROUP group consumer COUNT 1 STREAMS stream >
            """;

    private RespServer reference;
    private RespServer ours;

    @BeforeAll
    void start(SharedServers servers) {
        reference = servers.both().reference();
        ours = servers.both().ours();
    }

    @ParameterizedTest
    @ValueSource(strings = {EXPORTER, INSIGHT})
    void answersTheToolsCommands(String commands) {
        List<String> differences = new ArrayList<>();
        try (RespConnection theirs = reference.connect();
                RespConnection mine = ours.connect()) {
            KEYS.lines().forEach(line -> {
                theirs.call(line.split(" ", -1));
                mine.call(line.split(" ", -1));
            });
            commands.lines().forEach(line -> {
                Answer expected = theirs.call(line.split(" ", -1));
                Answer answer = mine.call(line.split(" ", -1));
                boolean isNew = expected.bytes().startsWith("-") && line.startsWith("CLIENT SETINFO");
                if (!isNew && expected.bytes().charAt(0) != answer.bytes().charAt(0)) {
                    differences.add(line + ": " + expected + " and not " + answer);
                }
            });
        }
        assertThat(differences).isEmpty();
    }
}
