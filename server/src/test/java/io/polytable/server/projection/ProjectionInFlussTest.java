package io.polytable.server.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.fluss.ClusterProcess;
import io.polytable.store.fluss.TestCluster;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random commands; then a plain Fluss client must read what Redis itself returns. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ProjectionInFlussTest {
    private static final int ROUNDS = 4;
    private static final int COMMANDS = 250;
    private static final long FAR = 4_000_000_000_000L;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"0, 1", "2, 1", "2, 2"})
    void aPlainProgramReadsWhatRedisTells(int shards, int groups) throws Exception {
        long seed = 20L + shards;
        Random random = new Random(seed);
        String database = "shown_" + shards + "_" + groups;
        try (ProjectedRedis redis = new ProjectedRedis(directory, shards, groups, database)) {
            for (int round = 0; round < ROUNDS; round++) {
                commands(redis.client(), random);
                if (round % 2 == 1) {
                    redis.restart();
                }
                if (round == ROUNDS - 1) {
                    redis.awaitEqual("seed " + seed + ", round " + round);
                }
            }
            assertThat(redis.reader().tables())
                    .as("the tables of the documentation, and no others but what is remembered of them")
                    .containsExactlyInAnyOrder(
                            shards == 0
                                    ? new String[] {
                                        "redis_internal_data",
                                        "redis_internal_zset_index",
                                        "redis_internal_subkey_index",
                                        "redis_stream_data",
                                        "redis_stream_consumer_groups",
                                        "redis_stream_pending_entries",
                                        "polytable_projection"
                                    }
                                    : new String[] {
                                        "redis_shard_00",
                                        "redis_shard_01",
                                        "redis_internal_zset_index",
                                        "redis_internal_subkey_index",
                                        "redis_stream_shard_00",
                                        "redis_stream_shard_01",
                                        "redis_stream_consumer_groups",
                                        "redis_stream_pending_entries",
                                        "polytable_projection"
                                    });
            rebuild(redis, shards == 0 ? "redis_internal_data" : "redis_shard_01");
            commands(redis.client(), random);
            redis.awaitEqual("seed " + seed + ", after the rebuild");
        }
    }

    private static void rebuild(ProjectedRedis redis, String table) throws Exception {
        redis.reader().plant(table, 0, "nobody wrote this", "");
        redis.reader().plant(table, 3, "nor this", "field");
        long before = redis.projector().status().rebuilds();
        redis.projector().rebuild();
        Await.until("the tables are rebuilt", () -> redis.projector().status().rebuilds() > before);
        redis.awaitEqual("rebuilt");
        assertThat(redis.projector().status().rebuilding()).isEmpty();
    }

    @Test
    void largeCollectionsGoAndFlussMayBeAwayForAWhile() throws Exception {
        try (ProjectedRedis redis = new ProjectedRedis(directory.resolve("one"), 0, 1, "away")) {
            RedisClient client = redis.client();
            fill(client, "large", 3000);
            redis.awaitEqual("filled");
            assertThat(redis.reader().countOf("redis_internal_data", 0, "large"))
                    .isEqualTo(3000);
            ClusterProcess server = TestCluster.shared().tabletServer(0);
            assertThat(client.ask("SELECT", "0")).isEqualTo("OK");
            server.pause();
            try {
                assertThat(client.ask("RENAME", "large", "renamed")).isEqualTo("OK");
                assertThat(client.ask("HDEL", "renamed", "f1")).isEqualTo("1");
                assertThat(client.ask("HSET", "large", "f2", "another")).isEqualTo("1");
                assertThat(client.ask("DEL", "renamed")).isEqualTo("1");
                assertThat(redis.projector().status().lagRecords()).isPositive();
            } finally {
                server.resume();
            }
            redis.awaitEqual("back again");
            assertThat(redis.reader().countOf("redis_internal_data", 0, "renamed"))
                    .isZero();
            assertThat(redis.reader().countOf("redis_internal_data", 0, "large"))
                    .isOne();
            redis.beginAnewIn(directory.resolve("other"));
            assertThat(redis.client().ask("SET", "only", "this")).isEqualTo("OK");
            redis.awaitEqual("positions of another log are of no use: everything was rewritten");
        }
    }

    @Test
    void aLogThatExpiredUnderTheTablesMakesThemAnew() throws Exception {
        try (ProjectedRedis redis = new ProjectedRedis(directory, 0, 1, "expired")) {
            fill(redis.client(), "kept", 50);
            redis.awaitEqual("filled");
            redis.restartWithoutTables();
            assertThat(redis.client().ask("SELECT", "0")).isEqualTo("OK");
            assertThat(redis.client().ask("HDEL", "kept", "f1")).isEqualTo("1");
            assertThat(redis.client().ask("SET", "later", "value")).isEqualTo("OK");
            redis.expireLog();
            redis.restart();
            redis.awaitEqual("rewritten, since the changes in between are gone");
            assertThat(redis.projector().status().rebuilds()).isOne();
        }
    }

    private static void fill(RedisClient client, String key, int fields) throws IOException {
        for (int i = 0; i < fields; i++) {
            client.send("HSET", key, "f" + i, "v" + i);
        }
        for (int i = 0; i < fields; i++) {
            assertThat(client.answer()).containsExactly("1");
        }
    }

    private static void commands(RedisClient client, Random random) throws IOException {
        for (int i = 0; i < COMMANDS; i++) {
            client.send("SELECT", Integer.toString(random.nextInt(3)));
            client.send(command(random));
        }
        for (int i = 0; i < 2 * COMMANDS; i++) {
            // Some are refused, for the type that a key happens to have.
            assertThat(client.answer()).isNotNull();
        }
    }

    private static String[] command(Random random) {
        String key = "k" + random.nextInt(8);
        String other = "k" + random.nextInt(8);
        String sub = random.nextInt(9) == 0 ? "" : "s" + random.nextInt(6);
        String number = Integer.toString(random.nextInt(10));
        int kind = random.nextInt(100);
        if (kind < 12) {
            return new String[] {"SET", key, "value " + number};
        } else if (kind < 32) {
            return new String[] {"HSET", key, sub, "value " + number};
        } else if (kind < 50) {
            return new String[] {"ZADD", key, number, sub};
        } else if (kind < 56) {
            return new String[] {random.nextBoolean() ? "HDEL" : "ZREM", key, sub};
        } else if (kind < 62) {
            return new String[] {"DEL", key};
        } else if (kind < 72) {
            return new String[] {"RENAME", key, other};
        } else if (kind < 80) {
            return new String[] {"COPY", key, other, "DB", Integer.toString(random.nextInt(3)), "REPLACE"};
        } else if (kind < 88) {
            return new String[] {"PEXPIREAT", key, Long.toString(FAR + random.nextInt(1000))};
        } else if (kind < 91) {
            return new String[] {"PEXPIRE", key, "1"};
        } else if (kind < 94) {
            return new String[] {"MOVE", key, Integer.toString(random.nextInt(3))};
        } else if (kind < 98) {
            return new String[] {"SWAPDB", Integer.toString(random.nextInt(3)), Integer.toString(random.nextInt(3))};
        }
        return new String[] {"FLUSHDB"};
    }
}
