package io.polytable.server.assembly;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Users;
import io.polytable.redis.RdbFiles;
import io.polytable.redis.RedisFace;
import io.polytable.redis.command.config.RedisSettings;
import io.polytable.redis.model.RedisMemory;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.upkeep.CheckProgress;
import io.polytable.redis.model.upkeep.CheckReport;
import io.polytable.redis.model.upkeep.Finding;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.redis.model.upkeep.RepairReport;
import io.polytable.redis.model.upkeep.Resharding;
import io.polytable.redis.model.view.RedisProjection;
import io.polytable.redis.model.view.ViewNames;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.config.StoreSettings;
import io.polytable.server.run.Face;
import io.polytable.server.run.FaceOpener;
import io.polytable.server.run.Findings;
import io.polytable.server.run.RdbTransfer;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.RunningStore;
import io.polytable.store.engine.DurabilityMode;
import io.polytable.table.TableStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Opens the Redis frontend: its settings under Redis' names, its start, and the check of its rows. */
final class RedisOpener implements FaceOpener {
    @Override
    public Setting<Boolean> enabledKey() {
        return RedisSettings.ENABLED;
    }

    @Override
    public Setting<Integer> portKey() {
        return RedisSettings.PORT;
    }

    @Override
    public Face open(
            Settings settings,
            MemoryPlan memory,
            RunningStore engine,
            Users users,
            Network network,
            Sessions sessions,
            Runnable stop) {
        RedisOptions options = options(settings).withMemory(() -> budgets(memory));
        RedisFace face = RedisFace.start(
                engine.store(),
                options,
                InstantSource.system(),
                engine.projection(),
                users,
                sessions,
                network.transport("redis"));
        return running(face, settings, engine, stop);
    }

    /** A frontend that listens must not outlive a start that fails: its port would be taken at the next attempt. */
    private static Face running(RedisFace face, Settings settings, RunningStore engine, Runnable stop) {
        try {
            face.onShutdown(stop);
            engine.projection().start(engine.store(), RedisProjection.of(face.keyspace()));
            return new RunningRedis(face, viewNames(settings));
        } catch (RuntimeException | Error failure) {
            face.close();
            throw failure;
        }
    }

    static RedisOptions options(Settings settings) {
        int threads = settings.get(RedisSettings.THREADS);
        return new RedisOptions(
                settings.get(ServerSettings.BIND_ADDRESS).getHostAddress(),
                settings.get(RedisSettings.PORT),
                threads == 0 ? RedisOptions.defaultThreads() : threads,
                shards(settings),
                settings,
                descriptions(settings),
                RedisMemory::standard);
    }

    private static RedisMemory budgets(MemoryPlan memory) {
        return new RedisMemory(
                memory.budget(MemoryShares.REDIS_READS),
                memory.budget(MemoryShares.REDIS_INPUT),
                memory.budget(MemoryShares.REDIS_OUTPUT),
                memory.budget(MemoryShares.REDIS_PUSH),
                memory.budget(MemoryShares.REDIS_SUBSCRIPTIONS),
                memory.budget(MemoryShares.REDIS_TRACKING),
                memory.budget(MemoryShares.REDIS_FENCES),
                memory.budget(MemoryShares.REDIS_LISTS),
                memory.budget(MemoryShares.REDIS_SCRIPTS),
                memory.budget(MemoryShares.REDIS_LUA));
    }

    static ViewNames viewNames(Settings settings) {
        Optional<String> members = settings.get(RedisSettings.ZSET_INDEX_ENABLED)
                ? Optional.of(settings.get(RedisSettings.ZSET_TABLE))
                : Optional.empty();
        return new ViewNames(ViewNames.parse(settings.get(RedisSettings.TABLE)), members.map(ViewNames::parse));
    }

    static int shards(Settings settings) {
        boolean sharded = settings.get(RedisSettings.SHARDING_ENABLED)
                .orElse(settings.get(StoreSettings.LOG) == StoreSettings.LogPlace.FLUSS);
        return sharded ? settings.get(RedisSettings.SHARDS) : 0;
    }

    /** As CONFIG GET shows them. */
    private static Map<String, String> descriptions(Settings settings) {
        return Map.of("appendfsync", durability(settings.get(StoreSettings.DURABILITY)));
    }

    private static String durability(DurabilityMode mode) {
        return switch (mode) {
            case ALWAYS -> "always";
            case EVERYSEC -> "everysec";
            case OS -> "no";
        };
    }

    @Override
    public Findings check(TableStore store, Settings settings) {
        // Opening a keyspace would create its tables; a check changes nothing.
        if (!isUsed(store)) {
            return new Findings("No Redis keys are stored", List.of());
        }
        try (Keyspace keyspace = Keyspace.openAsWritten(store)) {
            return findings(RedisIntegrity.verify(keyspace, CheckProgress.NONE));
        }
    }

    @Override
    public Findings repair(TableStore store, Settings settings, RepairProgress progress) {
        if (!isUsed(store)) {
            return new Findings("No Redis keys are stored", List.of());
        }
        try (Keyspace keyspace = Keyspace.openAsWritten(store)) {
            RepairReport report = RedisIntegrity.repair(keyspace, progress::at);
            Findings left = findings(report.after());
            long repaired = report.before().findingCount() - report.after().findingCount();
            return new Findings(left.summary() + ", repaired " + repaired, left.problems());
        }
    }

    @Override
    public Optional<String> reshard(TableStore store, Settings settings, int shards, RepairProgress progress) {
        if (settings.get(StoreSettings.LOG) == StoreSettings.LogPlace.FLUSS) {
            throw new RefusedException(
                    "Keys in Fluss keep their number of shards; import-redis moves them to a new store");
        }
        if (!isUsed(store)) {
            throw new RefusedException("No Redis keys are stored");
        }
        if (Resharding.interrupted(store).isEmpty()) {
            Findings found = check(store, settings);
            if (!found.isClean()) {
                throw new RefusedException("The keys need a polytable repair first. " + found.text());
            }
        }
        Resharding.Outcome outcome = Resharding.run(store, shards, progress::at);
        String setting = shards == 0
                ? "redis.sharding.enabled=false"
                : "redis.sharding.enabled=true and redis.sharding.num.shards=" + shards;
        return Optional.of(
                outcome.rows() == 0
                        ? "The keys are in " + shards + " shards already (0: one table)"
                        : "Verified " + outcome.rows() + " rows, moved " + outcome.moved() + " keys from "
                                + outcome.from() + " to " + outcome.to() + " shards. Start the server with " + setting);
    }

    @Override
    public Optional<RdbTransfer> rdb(TableStore store, Settings settings) {
        return Optional.of(new RedisFiles(RdbFiles.offline(store, options(settings)), Optional.empty()));
    }

    private static boolean isUsed(TableStore store) {
        return store.tables().stream()
                .anyMatch(table -> table.name().namespace().equals(RedisTables.NAMESPACE));
    }

    private static Findings findings(CheckReport report) {
        List<String> problems = new ArrayList<>(
                report.findings().stream().map(Finding::toString).toList());
        long more = report.findingCount() - problems.size();
        if (more > 0) {
            problems.add("and " + more + " more");
        }
        return new Findings("Checked " + report.keyCount() + " Redis keys", problems);
    }
}
