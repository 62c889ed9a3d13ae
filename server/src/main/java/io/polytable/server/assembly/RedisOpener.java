package io.polytable.server.assembly;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Credentials;
import io.polytable.frontend.session.Sessions;
import io.polytable.redis.RdbFiles;
import io.polytable.redis.RedisFace;
import io.polytable.redis.model.RedisMemory;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.upkeep.CheckProgress;
import io.polytable.redis.model.upkeep.CheckReport;
import io.polytable.redis.model.upkeep.Finding;
import io.polytable.redis.model.upkeep.RedisCheck;
import io.polytable.redis.model.upkeep.RedisRepair;
import io.polytable.redis.model.upkeep.RepairReport;
import io.polytable.redis.model.view.RedisProjection;
import io.polytable.redis.model.view.ViewNames;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.server.config.Configuration;
import io.polytable.server.config.Key;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.RedisKeys;
import io.polytable.server.config.ServerKeys;
import io.polytable.server.config.StoreKeys;
import io.polytable.server.run.Face;
import io.polytable.server.run.FaceOpener;
import io.polytable.server.run.Findings;
import io.polytable.server.run.RdbTransfer;
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
    public Key<Boolean> enabledKey() {
        return RedisKeys.ENABLED;
    }

    @Override
    public Key<Integer> portKey() {
        return RedisKeys.PORT;
    }

    @Override
    public Face open(
            Configuration configuration,
            MemoryPlan memory,
            RunningStore engine,
            Credentials credentials,
            Network network,
            Sessions sessions,
            Runnable stop) {
        RedisOptions options = options(configuration).withMemory(() -> budgets(memory));
        RedisFace face = RedisFace.start(
                engine.store(), options, InstantSource.system(), engine.projection(), credentials, sessions);
        return running(face, configuration, engine, stop);
    }

    /** A frontend that listens must not outlive a start that fails: its port would be taken at the next attempt. */
    private static Face running(RedisFace face, Configuration configuration, RunningStore engine, Runnable stop) {
        try {
            face.onShutdown(stop);
            engine.projection().start(engine.store(), RedisProjection.of(face.keyspace()));
            return new RunningRedis(face, viewNames(configuration));
        } catch (RuntimeException | Error failure) {
            face.close();
            throw failure;
        }
    }

    static RedisOptions options(Configuration configuration) {
        int threads = configuration.get(RedisKeys.THREADS);
        return new RedisOptions(
                configuration.get(ServerKeys.BIND_ADDRESS).getHostAddress(),
                configuration.get(RedisKeys.PORT),
                threads == 0 ? RedisOptions.defaultThreads() : threads,
                shards(configuration),
                settings(configuration),
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

    static ViewNames viewNames(Configuration configuration) {
        Optional<String> members = configuration.get(RedisKeys.ZSET_INDEX_ENABLED)
                ? Optional.of(configuration.get(RedisKeys.ZSET_TABLE))
                : Optional.empty();
        return new ViewNames(ViewNames.parse(configuration.get(RedisKeys.TABLE)), members.map(ViewNames::parse));
    }

    static int shards(Configuration configuration) {
        boolean sharded = configuration
                .get(RedisKeys.SHARDING_ENABLED)
                .orElse(configuration.get(StoreKeys.LOG) == StoreKeys.LogPlace.FLUSS);
        return sharded ? configuration.get(RedisKeys.SHARDS) : 0;
    }

    /** As CONFIG GET shows them. */
    private static Map<String, String> settings(Configuration configuration) {
        return Map.of(
                "appendfsync", durability(configuration.get(StoreKeys.DURABILITY)),
                "client-output-buffer-limit", "normal " + configuration.get(RedisKeys.OUTPUT_BUFFER_BYTES_MAX) + " 0 0",
                "client-query-buffer-limit",
                        configuration.get(RedisKeys.QUERY_BUFFER_BYTES_MAX).toString(),
                "dir", configuration.dataDirectory().toString(),
                "maxclients", configuration.get(RedisKeys.MAXCLIENTS).toString(),
                "proto-max-bulk-len",
                        configuration.get(RedisKeys.BULK_BYTES_MAX).toString(),
                "requirepass", bytesAsText(configuration.get(RedisKeys.REQUIREPASS)),
                "timeout", Long.toString(configuration.get(RedisKeys.TIMEOUT).toSeconds()));
    }

    /** Redis' settings have bytes, one per character. */
    private static String bytesAsText(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    private static String durability(DurabilityMode mode) {
        return switch (mode) {
            case ALWAYS -> "always";
            case EVERYSEC -> "everysec";
            case OS -> "no";
        };
    }

    @Override
    public Findings check(TableStore store, Configuration configuration) {
        // Opening a keyspace would create its tables; a check changes nothing.
        if (!isUsed(store)) {
            return new Findings("No Redis keys are stored", List.of());
        }
        try (Keyspace keyspace = Keyspace.openAsWritten(store)) {
            return findings(RedisCheck.run(keyspace, CheckProgress.NONE));
        }
    }

    @Override
    public Findings repair(TableStore store, Configuration configuration, RepairProgress progress) {
        if (!isUsed(store)) {
            return new Findings("No Redis keys are stored", List.of());
        }
        try (Keyspace keyspace = Keyspace.openAsWritten(store)) {
            RepairReport report = RedisRepair.run(keyspace, progress::at);
            Findings left = findings(report.after());
            long mended = report.before().findingCount() - report.after().findingCount();
            return new Findings(left.summary() + ", mended " + mended, left.problems());
        }
    }

    @Override
    public Optional<RdbTransfer> rdb(TableStore store, Configuration configuration) {
        return Optional.of(new RedisFiles(RdbFiles.offline(store, options(configuration))));
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
