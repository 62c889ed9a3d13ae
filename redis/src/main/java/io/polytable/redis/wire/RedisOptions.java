package io.polytable.redis.wire;

import io.polytable.frontend.setting.Settings;
import io.polytable.redis.command.config.ConfigParameter.OfSetting;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.config.RedisSettings;
import io.polytable.redis.model.RedisMemory;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What a server is started with.
 *
 * @param port zero for any free one
 * @param threads the number of event loops
 * @param shards zero for one table of all keys
 * @param settings the server's settings, which CONFIG reads and changes
 * @param descriptions parameters of CONFIG that describe this server, by name
 * @param memory gives a server its budgets when it starts; they count what it holds, so no two servers share them
 */
public record RedisOptions(
        String host,
        int port,
        int threads,
        int shards,
        Settings settings,
        Map<String, String> descriptions,
        Supplier<RedisMemory> memory) {
    public RedisOptions {
        descriptions = Map.copyOf(descriptions);
    }

    /** The defaults, for a frontend without a server. */
    public static RedisOptions defaults() {
        return new RedisOptions(
                "127.0.0.1",
                6379,
                defaultThreads(),
                0,
                Settings.defaults(RedisSettings.all()),
                Map.of(),
                RedisMemory::standard);
    }

    /** Half of the cores: the log, the state's writer and the garbage collector need the others. */
    public static int defaultThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    public RedisOptions withHost(String name) {
        return new RedisOptions(name, port, threads, shards, settings, descriptions, memory);
    }

    public RedisOptions withPort(int number) {
        return new RedisOptions(host, number, threads, shards, settings, descriptions, memory);
    }

    public RedisOptions withThreads(int count) {
        return new RedisOptions(host, port, count, shards, settings, descriptions, memory);
    }

    public RedisOptions withShards(int count) {
        return new RedisOptions(host, port, threads, count, settings, descriptions, memory);
    }

    public RedisOptions withMemory(Supplier<RedisMemory> budgets) {
        return new RedisOptions(host, port, threads, shards, settings, descriptions, budgets);
    }

    /** Adds one of CONFIG's parameters, in the notation of CONFIG. */
    public RedisOptions with(String parameter, String value) {
        if (RedisConfig.parameter(settings, parameter) instanceof OfSetting<?> found) {
            Settings changed = settings.with(Map.of(found.declaration().setting(), found.fileText(value)));
            return new RedisOptions(host, port, threads, shards, changed, descriptions, memory);
        }
        Map<String, String> all = new TreeMap<>(descriptions);
        all.put(parameter, value);
        return new RedisOptions(host, port, threads, shards, settings, all, memory);
    }

    /** With a copy of the settings, which nobody else changes. */
    public RedisOptions withOwnSettings() {
        return new RedisOptions(host, port, threads, shards, settings.with(Map.of()), descriptions, memory);
    }

    public RedisOptions withPassword(String password) {
        return with("requirepass", password);
    }
}
