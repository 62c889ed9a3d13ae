package io.polytable.server.assembly;

import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.view.View;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.config.StoreSettings;
import io.polytable.server.run.Access;
import io.polytable.server.run.FaceFiles;
import io.polytable.server.run.HttpFace;
import io.polytable.server.run.HttpFaceOpener;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.RunningStore;
import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlMemory;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.SqlSettings;
import io.polytable.sql.cache.ColumnCache;
import io.polytable.sql.tier.StoredFiles;
import io.polytable.sql.tier.storage.StorageDef;
import io.polytable.sql.tier.storage.StorageLimits;
import io.polytable.sql.wire.SqlEndpoint;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Opens the SQL frontend on the HTTP port. */
final class SqlOpener implements HttpFaceOpener {
    /** In the data directory. */
    private static final String DIRECTORY = "sql";

    @Override
    public Setting<Boolean> enabledKey() {
        return SqlSettings.ENABLED;
    }

    @Override
    public List<String> paths() {
        return List.of(SqlEndpoint.PATH);
    }

    @Override
    public Optional<FaceFiles> files(TableStore store, Path directory) {
        return StoredFiles.atRest(store, directory.resolve(DIRECTORY)).map(SqlFiles::new);
    }

    @Override
    public Map<String, Path> fileBases(Path directory) {
        return Map.of(StorageDef.LOCAL, StoredFiles.tables(directory.resolve(DIRECTORY)));
    }

    @Override
    public HttpFace open(
            Settings settings,
            MemoryPlan memory,
            RunningStore engine,
            Path directory,
            Supplier<List<View>> views,
            Access access) {
        long duck = memory.budget(MemoryShares.SQL_MEMORY).limitBytes();
        long cache = settings.get(SqlSettings.CACHE).orElse(SqlOptions.cacheShare(duck));
        SqlOptions options = new SqlOptions(
                        directory.resolve(DIRECTORY),
                        duck,
                        Runtime.getRuntime().availableProcessors(),
                        settings.get(SqlSettings.SPILL),
                        settings.get(SqlSettings.STATEMENT_TIMEOUT),
                        settings)
                .withCache(ColumnCache.Limits.of(Math.min(duck / 2, cache)))
                .withStorageLimits(storageLimits(settings));
        SqlMemory heap =
                new SqlMemory(memory.budget(MemoryShares.SQL_STATEMENTS), memory.budget(MemoryShares.SQL_RESULTS));
        SqlFace face = SqlFace.open(
                engine.store(), options, heap, views, InstantSource.system(), access.sessions(), access.users());
        return new RunningSql(face, new SqlEndpoint(face.engine(), guard(settings, access), InstantSource.system()));
    }

    private static StorageLimits storageLimits(Settings settings) {
        try {
            return StorageLimits.of(
                            settings.get(SqlSettings.STORAGE_ROOTS), settings.get(SqlSettings.STORAGE_ENDPOINTS))
                    // As long as a point-in-time restore may need them.
                    .withKeptDeleted(settings.get(StoreSettings.RETENTION_TIME));
        } catch (IllegalArgumentException invalid) {
            throw new RefusedException(
                    "sql.storage.roots or sql.storage.endpoints cannot be read: " + invalid.getMessage(), invalid);
        }
    }

    /** The access rules of a frontend on the HTTP port. */
    static RequestGuard guard(Settings settings, Access access) {
        Set<String> hosts = OwnHosts.of(settings.get(ServerSettings.BIND_ADDRESS), settings.get(SqlSettings.HOSTS));
        return new RequestGuard(hosts, ServerSettings.cors(settings), access.users(), access.authentication());
    }
}
