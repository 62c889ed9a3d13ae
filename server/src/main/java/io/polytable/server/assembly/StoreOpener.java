package io.polytable.server.assembly;

import io.polytable.cells.tables.TableCellStore;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.redis.model.keyspace.GroupLayout;
import io.polytable.server.config.Configuration;
import io.polytable.server.config.FlussKeys;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ProjectionKeys;
import io.polytable.server.config.StoreKeys;
import io.polytable.server.config.StoreKeys.LogPlace;
import io.polytable.server.run.EngineOpener;
import io.polytable.server.run.ProjectionService;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.RunningStore;
import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.LogReplay;
import io.polytable.store.directory.GroupDirectories;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Opening;
import io.polytable.store.engine.Tickets;
import io.polytable.store.fluss.FlussLogOptions;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.store.fluss.FlussStore;
import io.polytable.store.fluss.LogBinding;
import io.polytable.store.fluss.Move;
import io.polytable.store.fluss.projection.Projector;
import io.polytable.store.group.GroupedStore;
import io.polytable.store.group.Grouping;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Stripes;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Opens the store, with its log where the configuration says. */
final class StoreOpener implements EngineOpener {
    @Override
    public RunningStore open(Path directory, Configuration configuration, RecoveryProgress progress) {
        return switch (configuration.get(StoreKeys.LOG)) {
            case FILE -> openFiles(directory, configuration, progress);
            case FLUSS -> openFluss(directory, configuration, progress);
        };
    }

    /** As many groups as the directory has: only logs in Fluss can be configured to several. */
    private static RunningStore openFiles(Path directory, Configuration configuration, RecoveryProgress progress) {
        int groups = Math.max(1, GroupDirectories.present(directory));
        for (int group = 0; group < groups; group++) {
            if (LogBinding.isIn(StoreDirectory.presentLogOf(GroupDirectories.of(directory, group, groups)))) {
                throw new RefusedException("The data directory has its log in Fluss: start with store.log=fluss, or"
                        + " bring it back with polytable move --to file");
            }
        }
        EngineOptions options = StoreOptions.engine(configuration, groups);
        FileLogOptions log = StoreOptions.log(configuration);
        if (groups == 1) {
            return StoreEngine.of(EmbeddedStore.open(directory, options, log, progress::at));
        }
        GroupedStore store =
                EmbeddedStore.openGroups(directory, grouping(configuration, groups), options, log, progress::at);
        return StoreEngine.of(store);
    }

    private static Grouping grouping(Configuration configuration, int groups) {
        int shards = RedisOpener.shards(configuration);
        // Called only for tables that do not exist yet, so a check of existing ones needs no matching configuration. A
        // cell table has all its rows in one group; any group will do.
        return groups == 1
                ? Grouping.ONE
                : new Grouping(
                        groups,
                        table -> TableCellStore.isCells(table)
                                ? Math.floorMod(table.name().hashCode(), groups)
                                : new GroupLayout(shards, groups).groupOf(table));
    }

    private static RunningStore openFluss(Path directory, Configuration configuration, RecoveryProgress progress) {
        int groups = configuration.get(FlussKeys.LOG_GROUPS);
        refuseOtherGroups(GroupDirectories.present(directory), groups);
        FlussStore store = FlussStore.open(
                directory,
                grouping(configuration, groups),
                StoreOptions.engine(configuration, groups),
                settings(configuration),
                logOptions(configuration),
                progress::at);
        // Left open, it would keep the directory locked, and no later attempt of this process would succeed.
        return Opening.orClose(store::close, () -> withTables(store, configuration));
    }

    private static RunningStore withTables(FlussStore store, Configuration configuration) {
        if (!configuration.get(ProjectionKeys.ENABLED)) {
            FlussTables.names().forEach(name -> Projector.forget(store.cluster(), store.store(), name));
            return new StoreEngine(store.store(), store.engines(), store::close, true, ProjectionService.NONE);
        }
        FlussTables tables = new FlussTables(settings(configuration), configuration);
        Runnable closing = () -> {
            tables.close();
            store.close();
        };
        return new StoreEngine(store.store(), store.engines(), closing, true, tables);
    }

    private static void refuseOtherGroups(int present, int configured) {
        if (present != 0 && present != configured) {
            throw new RefusedException("The data directory was written with fluss.log.groups=" + present
                    + ", and that cannot be changed: start with it, not with " + configured);
        }
    }

    static FlussSettings settings(Configuration configuration) {
        return new FlussSettings(
                configuration.get(FlussKeys.BOOTSTRAP_SERVERS),
                configuration.get(FlussKeys.DATABASE),
                configuration.get(FlussKeys.REPLICATION),
                configuration.get(FlussKeys.ANSWER_TIMEOUT),
                flussMemory(configuration));
    }

    /** A log that is in files has no share in the plan: a command that moves it to Fluss does nothing else meanwhile. */
    private static FlussSettings.Memory flussMemory(Configuration configuration) {
        if (configuration.get(StoreKeys.LOG) != LogPlace.FLUSS) {
            return FlussSettings.Memory.STANDARD;
        }
        MemoryPlan memory = MemoryShares.of(configuration);
        return new FlussSettings.Memory(
                memory.budget(MemoryShares.FLUSS_WRITES).limitBytes() / MemoryShares.flussConnections(configuration),
                memory.budget(MemoryShares.FLUSS_AHEAD).limitBytes());
    }

    private static FlussLogOptions logOptions(Configuration configuration) {
        return FlussLogOptions.of(0)
                .withLease(configuration.get(FlussKeys.LEASE_TIME))
                .withClaimMax(configuration.get(FlussKeys.CLAIM_TIMEOUT))
                .withCheckpointBytes(configuration.get(FlussKeys.CHECKPOINT_BYTES));
    }

    /** Moves group by group, the last one first; groups that an interrupted move has moved already stay. */
    @Override
    public void move(Path directory, LogPlace to, Configuration configuration, RecoveryProgress progress) {
        int groups = Math.max(1, GroupDirectories.present(directory));
        boolean isAnyMoved = false;
        for (int group = groups - 1; group >= 0; group--) {
            Path own = GroupDirectories.of(directory, group, groups);
            boolean isInFluss = LogBinding.isIn(StoreDirectory.presentLogOf(own));
            boolean isThere = isInFluss == (to == LogPlace.FLUSS);
            if (!isThere || (group == 0 && !isAnyMoved)) {
                isAnyMoved = true;
                move(own, new Membership(group, groups, new Tickets(), new Stripes()), to, configuration, progress);
            }
        }
    }

    private static void move(
            Path directory, Membership member, LogPlace to, Configuration configuration, RecoveryProgress progress) {
        Move move = new Move(
                directory,
                member,
                StoreOptions.engine(configuration, member.groups()),
                settings(configuration),
                logOptions(configuration).withGroup(member.group()));
        switch (to) {
            case FLUSS -> move.toFluss(StoreOptions.log(configuration), progress::at);
            case FILE -> move.toFiles(progress::at);
        }
    }

    @Override
    public Backup.Restored restore(
            Path backup, Path directory, Map<String, Path> bases, Optional<LogReplay.Source> log) {
        return Backup.restore(backup, directory, bases, log);
    }
}
