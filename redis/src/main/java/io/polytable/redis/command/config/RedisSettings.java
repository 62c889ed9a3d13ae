package io.polytable.redis.command.config;

import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.bool;
import static io.polytable.frontend.setting.ValueTypes.boolOrAuto;
import static io.polytable.frontend.setting.ValueTypes.integer;
import static io.polytable.frontend.setting.ValueTypes.port;
import static io.polytable.frontend.setting.ValueTypes.text;

import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import io.polytable.redis.model.keyspace.Databases;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings of the Redis frontend. Those that Redis has too are in {@link ConfigTable}; they have Redis' names, after
 * {@code redis.}.
 */
public final class RedisSettings {
    private static final Declarations SETTINGS = new Declarations();

    public static final Setting<Boolean> ENABLED =
            SETTINGS.add(setting("redis.enabled", bool(), "true", "Whether Redis clients are served.")
                    .alias("redis.enable"));
    public static final Setting<Integer> PORT =
            SETTINGS.add(setting("redis.port", port(), "6379", "Port for Redis clients; 0 picks a free one."));
    public static final Setting<Integer> THREADS = SETTINGS.add(setting(
            "redis.threads", integer(0, 256), "0", "Event loops that serve Redis clients; 0 chooses by processors."));
    public static final Setting<Integer> DATABASES = SETTINGS.add(
            setting("redis.databases", integer(1, Databases.COUNT), "16", "Databases that SELECT can choose from."));
    public static final Setting<Optional<Boolean>> SHARDING_ENABLED = SETTINGS.add(setting(
            "redis.sharding.enabled",
            boolOrAuto(),
            "auto",
            "Whether keys spread over shard tables instead of one table; auto does so on Fluss."));
    public static final Setting<Integer> SHARDS = SETTINGS.add(setting(
            "redis.sharding.num.shards", integer(1, 100), "16", "Shard tables, each a range of the 16384 slots."));

    public static final Setting<String> TABLE = SETTINGS.add(
            setting("redis.table", text(), "default.redis_data", "Name under which SQL shows the keys of all shards.")
                    .alias("redis.table.name"));
    public static final Setting<String> ZSET_TABLE = SETTINGS.add(setting(
            "redis.zset.reverse.index.table",
            text(),
            "default.redis_zset_members",
            "Name under which SQL shows the members of sorted sets."));
    public static final Setting<Boolean> ZSET_INDEX_ENABLED = SETTINGS.add(setting(
            "redis.zset.reverse.index.enabled",
            bool(),
            "true",
            "Whether SQL shows the members under that name; the index itself is always kept, in one atomic write."));
    public static final Setting<Boolean> ZSET_INDEX_LAZY = SETTINGS.add(setting(
                    "redis.zset.lazy.index.population",
                    bool(),
                    "true",
                    "The index of a sorted set is never behind, so there is nothing to fill in later.")
            .withoutEffect());

    private RedisSettings() {}

    /** These, CONFIG's parameters that have an effect, and those that have none. */
    public static List<Setting<?>> all() {
        return Stream.of(SETTINGS.all(), ConfigTable.settings(), IdleParameters.settings())
                .flatMap(List::stream)
                .toList();
    }
}
