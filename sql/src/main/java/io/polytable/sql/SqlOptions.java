package io.polytable.sql;

import io.polytable.sql.cache.ColumnCache;
import io.polytable.sql.tier.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * How the relational face is set up.
 *
 * @param directory for schema files and for what queries spill
 * @param memoryBytes what queries through DuckDB may take, all together
 * @param cache how much of that may be columns of tables that are read whole again and again
 * @param settings the server's settings, for {@code system.settings}
 * @param coldBytes the size of the cache of files that are elsewhere
 * @param steps told of the steps of flushes
 */
public record SqlOptions(
        Path directory,
        long memoryBytes,
        ColumnCache.Limits cache,
        int threads,
        long spillBytes,
        Duration statementTimeout,
        Map<String, String> settings,
        long coldBytes,
        Step.Listener steps) {
    /** Files of object storages that are kept for reading, unless a setting says otherwise. */
    public static final long COLD_BYTES_DEFAULT = 4L << 30;

    public SqlOptions {
        settings = Map.copyOf(settings);
    }

    public SqlOptions(
            Path directory,
            long memoryBytes,
            int threads,
            long spillBytes,
            Duration statementTimeout,
            Map<String, String> settings) {
        this(
                directory,
                memoryBytes,
                ColumnCache.Limits.of(cacheShare(memoryBytes)),
                threads,
                spillBytes,
                statementTimeout,
                settings,
                COLD_BYTES_DEFAULT,
                step -> {});
    }

    /** Of the memory for queries, unless a setting says otherwise. */
    public static long cacheShare(long memoryBytes) {
        return memoryBytes / 4;
    }

    /** The same, with so much for columns of tables that are read again and again. */
    public SqlOptions withCache(ColumnCache.Limits limits) {
        return new SqlOptions(
                directory, memoryBytes, limits, threads, spillBytes, statementTimeout, settings, coldBytes, steps);
    }

    /** The same, with somebody told of the steps of flushes. */
    public SqlOptions withSteps(Step.Listener listener) {
        return new SqlOptions(
                directory, memoryBytes, cache, threads, spillBytes, statementTimeout, settings, coldBytes, listener);
    }

    public static SqlOptions in(Path directory) {
        return new SqlOptions(
                directory,
                512L << 20,
                Math.max(1, Runtime.getRuntime().availableProcessors()),
                4L << 30,
                Duration.ofSeconds(60),
                Map.of());
    }
}
