package io.polytable.server.config;

import static io.polytable.server.config.ByteSize.GB;
import static io.polytable.server.config.ByteSize.MB;
import static io.polytable.server.config.ByteSize.TB;
import static io.polytable.server.config.Key.key;
import static io.polytable.server.config.ValueTypes.bool;
import static io.polytable.server.config.ValueTypes.boolOrAuto;
import static io.polytable.server.config.ValueTypes.bytes;
import static io.polytable.server.config.ValueTypes.duration;
import static io.polytable.server.config.ValueTypes.integer;
import static io.polytable.server.config.ValueTypes.port;
import static io.polytable.server.config.ValueTypes.text;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The Redis frontend. Parameters of Redis have Redis' names, after {@code redis.}. */
public final class RedisKeys {
    private static final Declarations KEYS = new Declarations();

    public static final Key<Boolean> ENABLED =
            KEYS.add(key("redis.enabled", bool(), "true", "Whether Redis clients are served.")
                    .alias("redis.enable"));
    public static final Key<Integer> PORT =
            KEYS.add(key("redis.port", port(), "6379", "Port for Redis clients; 0 picks a free one."));
    public static final Key<Integer> THREADS = KEYS.add(key(
            "redis.threads", integer(0, 256), "0", "Event loops that serve Redis clients; 0 chooses by processors."));
    public static final Key<Integer> DATABASES = KEYS.add(
            key("redis.databases", integer(16, 16), "16", "Databases that SELECT can choose from; always 16."));
    public static final Key<String> REQUIREPASS =
            KEYS.add(key("redis.requirepass", text(), "", "Password that clients give with AUTH; empty asks for none.")
                    .asSecret());
    public static final Key<Integer> MAXCLIENTS =
            KEYS.add(key("redis.maxclients", integer(1, 1_000_000), "10000", "Redis connections open at once."));
    public static final Key<Duration> TIMEOUT =
            KEYS.add(key("redis.timeout", duration(), "0", "Idle time after which a client is closed; 0 is never."));
    public static final Key<Long> BULK_BYTES_MAX = KEYS.add(key(
            "redis.proto-max-bulk-len",
            bytes(MB, 2 * GB - MB),
            "512mb",
            "Longest single argument; never more than 1/16 of the heap."));
    public static final Key<Long> QUERY_BUFFER_BYTES_MAX = KEYS.add(
            key("redis.client-query-buffer-limit", bytes(MB, TB), "1gb", "Unparsed input a client may pile up."));
    public static final Key<Long> OUTPUT_BUFFER_BYTES_MAX = KEYS.add(key(
            "redis.client-output-buffer-limit",
            bytes(0, TB),
            "0",
            "Replies a client may leave unread before it is closed; 0 is never: its requests wait until it reads."));
    public static final Key<Optional<Boolean>> SHARDING_ENABLED = KEYS.add(key(
            "redis.sharding.enabled",
            boolOrAuto(),
            "auto",
            "Whether keys spread over shard tables instead of one table; auto does so on Fluss."));
    public static final Key<Integer> SHARDS = KEYS.add(
            key("redis.sharding.num.shards", integer(1, 100), "16", "Shard tables, each a range of the 16384 slots."));

    public static final Key<String> TABLE = KEYS.add(
            key("redis.table", text(), "default.redis_data", "Name under which SQL shows the keys of all shards.")
                    .alias("redis.table.name"));
    public static final Key<String> ZSET_TABLE = KEYS.add(key(
            "redis.zset.reverse.index.table",
            text(),
            "default.redis_zset_members",
            "Name under which SQL shows the members of sorted sets."));
    public static final Key<Boolean> ZSET_INDEX_ENABLED = KEYS.add(key(
            "redis.zset.reverse.index.enabled",
            bool(),
            "true",
            "Whether SQL shows the members under that name; the index itself is always kept, in one atomic write."));
    public static final Key<Boolean> ZSET_INDEX_LAZY = KEYS.add(key(
                    "redis.zset.lazy.index.population",
                    bool(),
                    "true",
                    "The index of a sorted set is never behind, so there is nothing to fill in later.")
            .withoutEffect());

    private RedisKeys() {}

    static List<Key<?>> all() {
        return KEYS.all();
    }
}
