package io.polytable.sql;

import io.polytable.frontend.setting.Settings;
import io.polytable.sql.cache.ColumnCache;
import io.polytable.sql.tier.Step;
import io.polytable.sql.tier.storage.StorageLimits;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Options of the SQL frontend.
 *
 * @param directory holds schema files, the file cache and spilled intermediate results
 * @param memoryBytes the memory limit of all DuckDB queries together
 * @param cache the part of that memory that may cache columns of tables that are often read whole
 * @param settings the server's settings, which SHOW, SET and {@code system.settings} read and change
 * @param coldBytes the size of the local cache of files in object storage
 * @param storageLimits what CREATE STORAGE may reach
 * @param steps is notified of each step of a flush
 */
public record SqlOptions(
        Path directory,
        long memoryBytes,
        ColumnCache.Limits cache,
        int threads,
        long spillBytes,
        Duration statementTimeout,
        Settings settings,
        long coldBytes,
        StorageLimits storageLimits,
        Step.Listener steps) {
    /** The default size of the local cache of files in object storage. */
    public static final long COLD_BYTES_DEFAULT = 4L << 30;

    public SqlOptions(
            Path directory,
            long memoryBytes,
            int threads,
            long spillBytes,
            Duration statementTimeout,
            Settings settings) {
        this(
                directory,
                memoryBytes,
                ColumnCache.Limits.of(cacheShare(memoryBytes)),
                threads,
                spillBytes,
                statementTimeout,
                settings,
                COLD_BYTES_DEFAULT,
                StorageLimits.NONE,
                step -> {});
    }

    /** The default size of the column cache, a part of the memory for queries. */
    public static long cacheShare(long memoryBytes) {
        return memoryBytes / 4;
    }

    /** A copy with other limits for the column cache. */
    public SqlOptions withCache(ColumnCache.Limits limits) {
        return with(limits, coldBytes, storageLimits, steps);
    }

    /** A copy whose flushes notify the listener. */
    public SqlOptions withSteps(Step.Listener listener) {
        return with(cache, coldBytes, storageLimits, listener);
    }

    /** A copy with another size of the local cache of files in object storage. */
    public SqlOptions withColdBytes(long bytes) {
        return with(cache, bytes, storageLimits, steps);
    }

    /** A copy in which CREATE STORAGE may reach only what the limits allow. */
    public SqlOptions withStorageLimits(StorageLimits limits) {
        return with(cache, coldBytes, limits, steps);
    }

    private SqlOptions with(ColumnCache.Limits columns, long cold, StorageLimits limits, Step.Listener listener) {
        return new SqlOptions(
                directory,
                memoryBytes,
                columns,
                threads,
                spillBytes,
                statementTimeout,
                settings,
                cold,
                limits,
                listener);
    }

    public static SqlOptions in(Path directory) {
        return new SqlOptions(
                directory,
                512L << 20,
                Math.max(1, Runtime.getRuntime().availableProcessors()),
                4L << 30,
                Duration.ofSeconds(60),
                Settings.defaults(SqlSettings.all()));
    }
}
