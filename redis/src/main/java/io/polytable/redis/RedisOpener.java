package io.polytable.redis;

import io.polytable.frontend.Findings;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.FrontendContext;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.Progress;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.redis.command.config.RedisSettings;
import io.polytable.redis.model.RedisMemory;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.upkeep.CheckReport;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.redis.model.upkeep.RepairReport;
import io.polytable.redis.model.view.RedisProjection;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.table.TableStore;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Opens the Redis frontend: its settings under Redis' names, its start, and the check of its rows. */
public final class RedisOpener implements FrontendOpener {
    private final Function<Settings, StoreTraits> traits;

    /**
     * What the protocol says of the store beneath it.
     *
     * @param isReplicated whether keys are in shards unless configured otherwise
     * @param appendfsync how durable a reply is, in the words of CONFIG
     */
    public record StoreTraits(boolean isReplicated, String appendfsync) {}

    public RedisOpener(Function<Settings, StoreTraits> traits) {
        this.traits = traits;
    }

    @Override
    public List<Setting<?>> settings() {
        return RedisSettings.all();
    }

    @Override
    public Setting<Boolean> enabled() {
        return RedisSettings.ENABLED;
    }

    @Override
    public Optional<Setting<Integer>> port(String listener) {
        return Optional.of(RedisSettings.PORT);
    }

    @Override
    public void plan(MemoryPlan.Builder plan, Settings settings) {
        if (settings.get(RedisSettings.ENABLED)) {
            RedisMemory.plan(plan);
        }
    }

    @Override
    public Frontend open(FrontendContext context) {
        RedisFrontend frontend = RedisFrontend.start(
                context.store(),
                options(context.settings(), context.address()).withMemory(() -> RedisMemory.of(context.memory())),
                context.clock(),
                context.followers(),
                context.users(),
                context.sessions(),
                context.network().transport("redis"));
        try {
            frontend.onShutdown(context.stop());
            context.followers().start(context.store(), RedisProjection.of(frontend.keyspace()));
            return frontend;
        } catch (RuntimeException | Error failure) {
            // It listens already: its port would be taken at the next attempt.
            frontend.close();
            throw failure;
        }
    }

    /** The options that the settings give. */
    public RedisOptions options(Settings settings, InetAddress address) {
        int threads = settings.get(RedisSettings.THREADS);
        return new RedisOptions(
                address.getHostAddress(),
                settings.get(RedisSettings.PORT),
                threads == 0 ? RedisOptions.defaultThreads() : threads,
                shards(settings),
                settings,
                Map.of("appendfsync", traits.apply(settings).appendfsync()),
                RedisMemory::standard);
    }

    /** Zero for one table of all keys. */
    public int shards(Settings settings) {
        boolean sharded = settings.get(RedisSettings.SHARDING_ENABLED)
                .orElse(traits.apply(settings).isReplicated());
        return sharded ? settings.get(RedisSettings.SHARDS) : 0;
    }

    @Override
    public Optional<Findings> verify(TableStore store, Settings settings, boolean repair, Progress progress) {
        // Opening a keyspace would create its tables; a check changes nothing.
        if (store.tables().stream().noneMatch(table -> table.name().namespace().equals(RedisTables.NAMESPACE))) {
            return Optional.of(new Findings("No Redis keys are stored", List.of()));
        }
        try (Keyspace keyspace = Keyspace.openAsWritten(store)) {
            if (!repair) {
                return Optional.of(findings(RedisIntegrity.verify(keyspace, Progress.NONE)));
            }
            RepairReport report = RedisIntegrity.repair(keyspace, progress);
            return Optional.of(findings(report.after())
                    .repaired(report.before().findingCount() - report.after().findingCount()));
        }
    }

    /** Whether keys are, or were, stored. */
    public static boolean isUsed(TableStore store) {
        return store.tables().stream()
                .anyMatch(table -> table.name().namespace().equals(RedisTables.NAMESPACE));
    }

    private static Findings findings(CheckReport report) {
        return Findings.of("Checked " + report.keyCount() + " Redis keys", report.findings(), report.findingCount());
    }
}
