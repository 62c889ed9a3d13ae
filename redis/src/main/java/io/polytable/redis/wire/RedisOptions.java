package io.polytable.redis.wire;

import io.polytable.redis.model.RedisMemory;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The options of a server. The settings are CONFIG's parameters by name, on top of their defaults.
 *
 * @param port zero for any free one
 * @param threads the number of event loops
 * @param shards zero for one table of all keys
 * @param memory gives a server its budgets when it starts; they count what it holds, so no two servers share them
 */
public record RedisOptions(
        String host, int port, int threads, int shards, Map<String, String> settings, Supplier<RedisMemory> memory) {
    public RedisOptions {
        settings = Map.copyOf(settings);
    }

    public static RedisOptions defaults() {
        return new RedisOptions("127.0.0.1", 6379, defaultThreads(), 0, Map.of(), RedisMemory::standard);
    }

    /** Half of the cores: the log, the state's writer and the garbage collector need the others. */
    public static int defaultThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    public RedisOptions withHost(String name) {
        return new RedisOptions(name, port, threads, shards, settings, memory);
    }

    public RedisOptions withPort(int number) {
        return new RedisOptions(host, number, threads, shards, settings, memory);
    }

    public RedisOptions withThreads(int count) {
        return new RedisOptions(host, port, count, shards, settings, memory);
    }

    public RedisOptions withShards(int count) {
        return new RedisOptions(host, port, threads, count, settings, memory);
    }

    public RedisOptions withMemory(Supplier<RedisMemory> budgets) {
        return new RedisOptions(host, port, threads, shards, settings, budgets);
    }

    /** Adds one of CONFIG's parameters. */
    public RedisOptions with(String setting, String value) {
        Map<String, String> all = new TreeMap<>(settings);
        all.put(setting, value);
        return new RedisOptions(host, port, threads, shards, all, memory);
    }

    public RedisOptions withPassword(String password) {
        return with("requirepass", password);
    }
}
