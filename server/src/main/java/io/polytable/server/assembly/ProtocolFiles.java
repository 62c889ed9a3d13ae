package io.polytable.server.assembly;

import io.polytable.frontend.Findings;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.Progress;
import io.polytable.frontend.setting.Settings;
import io.polytable.redis.RdbFiles;
import io.polytable.redis.RedisFrontend;
import io.polytable.redis.RedisOpener;
import io.polytable.redis.model.upkeep.Resharding;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.config.StoreSettings;
import io.polytable.server.run.FileTransfers;
import io.polytable.server.run.NamedFiles;
import io.polytable.server.run.RdbTransfer;
import io.polytable.server.run.RefusedException;
import io.polytable.sql.SqlFrontend;
import io.polytable.sql.SqlOpener;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The flushed rows of SQL tables, the RDB files and the shards of Redis. */
final class ProtocolFiles implements FileTransfers {
    private final RedisOpener redis;

    ProtocolFiles(RedisOpener redis) {
        this.redis = redis;
    }

    private static <F extends Frontend> Stream<F> of(List<Frontend> running, Class<F> type) {
        return running.stream().filter(type::isInstance).map(type::cast);
    }

    @Override
    public Optional<NamedFiles> files(List<Frontend> running) {
        return of(running, SqlFrontend.class)
                .<NamedFiles>map(sql -> new SqlFiles(sql.storedFiles()))
                .findFirst();
    }

    @Override
    public Optional<NamedFiles> files(TableStore store, Path directory) {
        return SqlOpener.files(store, directory).map(SqlFiles::new);
    }

    @Override
    public Map<String, Path> fileBases(Path directory) {
        return SqlOpener.fileBases(directory);
    }

    @Override
    public Optional<RdbTransfer> rdb(List<Frontend> running) {
        return of(running, RedisFrontend.class)
                .<RdbTransfer>map(frontend -> new RedisFiles(frontend.rdbFiles(), Optional.of(frontend.liveImport())))
                .findFirst();
    }

    @Override
    public Optional<RdbTransfer> rdb(TableStore store, Settings settings) {
        RdbFiles files = RdbFiles.offline(store, redis.options(settings, settings.get(ServerSettings.BIND_ADDRESS)));
        return Optional.of(new RedisFiles(files, Optional.empty()));
    }

    @Override
    public Optional<String> reshard(TableStore store, Settings settings, int shards, Progress progress) {
        if (settings.get(StoreSettings.LOG) == StoreSettings.LogPlace.FLUSS) {
            throw new RefusedException(
                    "Keys in Fluss keep their number of shards; import-redis moves them to a new store");
        }
        if (!RedisOpener.isUsed(store)) {
            throw new RefusedException("No Redis keys are stored");
        }
        if (Resharding.interrupted(store).isEmpty()) {
            Findings found = redis.verify(store, settings, false, Progress.NONE).orElseThrow();
            if (!found.isClean()) {
                throw new RefusedException("The keys need a polytable repair first. " + found.text());
            }
        }
        Resharding.Outcome outcome = Resharding.run(store, shards, progress);
        String setting = shards == 0
                ? "redis.sharding.enabled=false"
                : "redis.sharding.enabled=true and redis.sharding.num.shards=" + shards;
        return Optional.of(
                outcome.rows() == 0
                        ? "The keys are in " + shards + " shards already (0: one table)"
                        : "Verified " + outcome.rows() + " rows, moved " + outcome.moved() + " keys from "
                                + outcome.from() + " to " + outcome.to() + " shards. Start the server with " + setting);
    }
}
