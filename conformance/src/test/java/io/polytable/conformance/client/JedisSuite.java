package io.polytable.conformance.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.conformance.history.Dice;
import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.GetExParams;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.params.ZAddParams;
import redis.clients.jedis.resps.ScanResult;
import redis.clients.jedis.resps.Tuple;

/** Jedis on one server. */
@OnSharedServers
abstract class JedisSuite {
    private static final int LARGE_BYTES = 10 << 20;
    private static final int MANY_CONNECTIONS = 200;

    private final Target target;
    private RespServer server;

    JedisSuite(Target target) {
        this.target = target;
    }

    @BeforeAll
    void start(SharedServers servers) {
        server = servers.of(target);
    }

    @BeforeEach
    void empty() {
        try (Jedis jedis = jedis(RedisProtocol.RESP2)) {
            jedis.flushAll();
        }
    }

    private Jedis jedis(RedisProtocol protocol) {
        return jedis(DefaultJedisClientConfig.builder().protocol(protocol).build());
    }

    private Jedis jedis(JedisClientConfig config) {
        return new Jedis(new HostAndPort("127.0.0.1", server.port()), config);
    }

    @ParameterizedTest
    @EnumSource
    void strings(RedisProtocol protocol) {
        try (Jedis jedis = jedis(protocol)) {
            assertThat(jedis.set("s", "hello")).isEqualTo("OK");
            assertThat(jedis.set("s", "no", SetParams.setParams().nx())).isNull();
            assertThat(jedis.setGet("s", "world", SetParams.setParams().ex(1000)))
                    .isEqualTo("hello");
            assertThat(jedis.ttl("s")).isBetween(990L, 1000L);
            assertThat(jedis.getEx("s", GetExParams.getExParams().persist())).isEqualTo("world");
            assertThat(jedis.ttl("s")).isEqualTo(-1);
            assertThat(jedis.append("s", "!")).isEqualTo(6);
            assertThat(jedis.getrange("s", -3, -1)).isEqualTo("ld!");
            assertThat(jedis.mset("a", "1", "b", "2")).isEqualTo("OK");
            assertThat(jedis.mget("a", "none", "b")).containsExactly("1", null, "2");
            assertThat(jedis.incrBy("a", 41)).isEqualTo(42);
            assertThat(jedis.incrByFloat("b", 0.5)).isEqualTo(2.5);
            assertThat(jedis.getDel("b")).isEqualTo("2.5");
            assertThat(jedis.get("b")).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void hashes(RedisProtocol protocol) {
        try (Jedis jedis = jedis(protocol)) {
            assertThat(jedis.hset("h", Map.of("f", "1", "g", "2"))).isEqualTo(2);
            assertThat(jedis.hgetAll("h")).isEqualTo(Map.of("f", "1", "g", "2"));
            assertThat(jedis.hmget("h", "g", "none")).containsExactly("2", null);
            assertThat(jedis.hincrBy("h", "f", 9)).isEqualTo(10);
            assertThat(jedis.hkeys("h")).containsExactlyInAnyOrder("f", "g");
            assertThat(jedis.hvals("h")).containsExactlyInAnyOrder("10", "2");
            assertThat(jedis.hrandfieldWithValues("h", 5)).hasSize(2);
            assertThat(jedis.hdel("h", "f", "none")).isEqualTo(1);
            assertThat(jedis.hexists("h", "f")).isFalse();
            assertThatThrownBy(() -> jedis.get("h"))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageStartingWith("WRONGTYPE");
        }
    }

    @ParameterizedTest
    @EnumSource
    void sortedSets(RedisProtocol protocol) {
        try (Jedis jedis = jedis(protocol)) {
            assertThat(jedis.zadd("z", Map.of("a", 1.0, "b", 2.5, "c", 0.1))).isEqualTo(3);
            assertThat(jedis.zrange("z", 0, -1)).containsExactly("c", "a", "b");
            assertThat(jedis.zrangeWithScores("z", 0, 0)).containsExactly(new Tuple("c", 0.1));
            assertThat(jedis.zrangeByScore("z", "(0.1", "+inf")).containsExactly("a", "b");
            assertThat(jedis.zadd("z", 0.5, "b", ZAddParams.zAddParams().gt())).isZero();
            assertThat(jedis.zincrby("z", 0.5, "b")).isEqualTo(3.0);
            assertThat(jedis.zrank("z", "b")).isEqualTo(2);
            assertThat(jedis.zscore("z", "c")).isEqualTo(0.1);
            assertThat(jedis.zmscore("z", "c", "none")).containsExactly(0.1, null);
            assertThat(jedis.zpopmin("z")).isEqualTo(new Tuple("c", 0.1));
            assertThat(jedis.zcount("z", "-inf", "+inf")).isEqualTo(2);
            assertThat(jedis.zremrangeByRank("z", 0, -1)).isEqualTo(2);
            assertThat(jedis.exists("z")).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void pipelines(RedisProtocol protocol) {
        try (Jedis jedis = jedis(protocol)) {
            List<Response<Long>> counts = new ArrayList<>();
            Pipeline pipeline = jedis.pipelined();
            for (int i = 0; i < 5_000; i++) {
                counts.add(pipeline.incr("counter"));
                pipeline.hset("h", "f" + i, "v" + i);
            }
            Response<Map<String, String>> all = pipeline.hgetAll("h");
            pipeline.sync();
            for (int i = 0; i < counts.size(); i++) {
                assertThat(counts.get(i).get()).isEqualTo(i + 1L);
            }
            assertThat(all.get()).hasSize(5_000).containsEntry("f4999", "v4999");
        }
    }

    @ParameterizedTest
    @EnumSource
    void scans(RedisProtocol protocol) {
        try (Jedis jedis = jedis(protocol)) {
            Map<String, String> fields = new HashMap<>();
            Map<String, Double> members = new HashMap<>();
            for (int i = 0; i < 2_000; i++) {
                fields.put("f" + i, "v" + i);
                members.put("m" + i, i / 4.0);
                jedis.set("key:" + i, "x");
            }
            jedis.hset("h", fields);
            jedis.zadd("z", members);

            Set<String> keys = new HashSet<>();
            scan(cursor -> jedis.scan(cursor, new ScanParams().match("key:*").count(100)), keys);
            assertThat(keys).hasSize(2_000);

            Set<Map.Entry<String, String>> seenFields = new HashSet<>();
            scan(cursor -> jedis.hscan("h", cursor, new ScanParams().count(100)), seenFields);
            assertThat(seenFields).isEqualTo(fields.entrySet());

            Set<Tuple> seenMembers = new HashSet<>();
            scan(cursor -> jedis.zscan("z", cursor, new ScanParams().count(100)), seenMembers);
            assertThat(seenMembers).hasSize(2_000).contains(new Tuple("m1999", 499.75));
        }
    }

    private interface ScanPage<T> {
        ScanResult<T> from(String cursor);
    }

    private static <T> void scan(ScanPage<T> page, Set<T> into) {
        String cursor = ScanParams.SCAN_POINTER_START;
        do {
            ScanResult<T> result = page.from(cursor);
            into.addAll(result.getResult());
            cursor = result.getCursor();
        } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
    }

    @ParameterizedTest
    @EnumSource
    void binaryAndLargeValues(RedisProtocol protocol) {
        byte[] odd = {0, '\r', '\n', (byte) 0xff, 0};
        byte[] large = new Dice(42).bytes(LARGE_BYTES).getBytes(StandardCharsets.ISO_8859_1);
        try (Jedis jedis = jedis(protocol)) {
            jedis.set(odd, odd);
            assertThat(jedis.get(odd)).isEqualTo(odd);
            jedis.set(new byte[0], new byte[0]);
            assertThat(jedis.get(new byte[0])).isEmpty();
            jedis.hset(new byte[] {1}, odd, large);
            assertThat(jedis.hget(new byte[] {1}, odd)).isEqualTo(large);
            jedis.set(new byte[] {2}, large);
            assertThat(jedis.get(new byte[] {2})).isEqualTo(large);
            assertThat(jedis.getrange(new byte[] {2}, LARGE_BYTES - 4, -1)).hasSize(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void databasesAndNames(RedisProtocol protocol) {
        JedisClientConfig config = DefaultJedisClientConfig.builder()
                .protocol(protocol)
                .database(9)
                .clientName("suite")
                .build();
        try (Jedis nine = jedis(config);
                Jedis zero = jedis(protocol)) {
            nine.set("k", "9");
            assertThat(zero.get("k")).isNull();
            assertThat(nine.clientGetname()).isEqualTo("suite");
            assertThat(nine.clientInfo()).contains("name=suite").contains("db=9");
            assertThat(zero.select(9)).isEqualTo("OK");
            assertThat(zero.move("k", 3)).isEqualTo(1);
            assertThat(zero.dbSize()).isZero();
            assertThat(zero.info("server")).contains("redis_version:" + target.version());
            if (target.isOurs()) {
                assertThat(nine.clientInfo()).contains("lib-name=jedis");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyConnections(RedisProtocol protocol) {
        List<Jedis> all = new ArrayList<>();
        try {
            for (int i = 0; i < MANY_CONNECTIONS; i++) {
                all.add(jedis(protocol));
            }
            for (int round = 0; round < 5; round++) {
                all.forEach(jedis -> jedis.incr("shared"));
            }
            assertThat(all.get(0).get("shared")).isEqualTo(Integer.toString(5 * MANY_CONNECTIONS));
        } finally {
            all.forEach(Jedis::close);
        }
    }

    @ParameterizedTest
    @EnumSource
    void passwords(RedisProtocol protocol, SharedServers servers) {
        HostAndPort address =
                new HostAndPort("127.0.0.1", servers.withPassword(target).port());
        try (Jedis jedis = new Jedis(address, withPassword(protocol, SharedServers.PASSWORD))) {
            assertThat(jedis.set("k", "v")).isEqualTo("OK");
        }
        assertThatThrownBy(() -> new Jedis(address, withPassword(protocol, "guess")).ping())
                .hasMessageContaining("WRONGPASS");
        try (Jedis jedis = new Jedis(address)) {
            assertThatThrownBy(() -> jedis.get("k")).hasMessageContaining("NOAUTH Authentication required.");
            assertThat(jedis.auth(SharedServers.PASSWORD)).isEqualTo("OK");
            assertThat(jedis.get("k")).isEqualTo("v");
        }
    }

    private static JedisClientConfig withPassword(RedisProtocol protocol, String password) {
        return DefaultJedisClientConfig.builder()
                .protocol(protocol)
                .password(password)
                .build();
    }
}
