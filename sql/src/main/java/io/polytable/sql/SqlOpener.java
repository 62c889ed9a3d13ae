package io.polytable.sql;

import io.polytable.frontend.Frontend;
import io.polytable.frontend.FrontendContext;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import io.polytable.sql.cache.ColumnCache;
import io.polytable.sql.tier.StoredFiles;
import io.polytable.sql.tier.storage.StorageDef;
import io.polytable.sql.tier.storage.StorageLimits;
import io.polytable.sql.wire.SqlEndpoint;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Opens the SQL frontend on the HTTP port. */
public final class SqlOpener implements FrontendOpener {
    /** In the data directory. */
    private static final String DIRECTORY = "sql";

    private final Function<Settings, Duration> keptDeleted;

    /** @param keptDeleted how long deleted files stay, for a point-in-time restore */
    public SqlOpener(Function<Settings, Duration> keptDeleted) {
        this.keptDeleted = keptDeleted;
    }

    @Override
    public List<Setting<?>> settings() {
        return SqlSettings.all();
    }

    @Override
    public Setting<Boolean> enabled() {
        return SqlSettings.ENABLED;
    }

    @Override
    public void plan(MemoryPlan.Builder plan, Settings settings) {
        if (settings.get(SqlSettings.ENABLED)) {
            SqlMemory.plan(plan, settings);
        }
    }

    @Override
    public List<String> paths() {
        return List.of(SqlEndpoint.PATH);
    }

    /**
     * The files that the frontend's rows name, for a store on which the frontend does not run.
     *
     * @param directory the data directory
     */
    public static Optional<StoredFiles> files(TableStore store, Path directory) {
        return StoredFiles.atRest(store, directory.resolve(DIRECTORY));
    }

    /** The directories inside the data directory where files belong, by the name of their storage. */
    public static Map<String, Path> fileBases(Path directory) {
        return Map.of(StorageDef.LOCAL, StoredFiles.tables(directory.resolve(DIRECTORY)));
    }

    @Override
    public Frontend open(FrontendContext context) {
        Settings settings = context.settings();
        long duck = SqlMemory.duckBytes(context.memory());
        long cache = settings.get(SqlSettings.CACHE).orElse(SqlOptions.cacheShare(duck));
        SqlOptions options = new SqlOptions(
                        context.directory().resolve(DIRECTORY),
                        duck,
                        Runtime.getRuntime().availableProcessors(),
                        settings.get(SqlSettings.SPILL),
                        settings.get(SqlSettings.STATEMENT_TIMEOUT),
                        settings)
                .withCache(ColumnCache.Limits.of(Math.min(duck / 2, cache)))
                .withStorageLimits(storageLimits(settings));
        SqlFace sql = SqlFace.open(
                context.store(),
                options,
                SqlMemory.of(context.memory()),
                context.views(),
                context.clock(),
                context.sessions(),
                context.users());
        return new SqlFrontend(sql, new SqlEndpoint(sql.engine(), context.guard(), context.clock()));
    }

    private StorageLimits storageLimits(Settings settings) {
        try {
            return StorageLimits.of(
                            settings.get(SqlSettings.STORAGE_ROOTS), settings.get(SqlSettings.STORAGE_ENDPOINTS))
                    .withKeptDeleted(keptDeleted.apply(settings));
        } catch (IllegalArgumentException invalid) {
            throw new SettingException(
                    "sql.storage.roots or sql.storage.endpoints cannot be read: " + invalid.getMessage());
        }
    }
}
