package io.polytable.server.assembly;

import io.polytable.cells.store.CellStore;
import io.polytable.frontend.Progress;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Settings;
import io.polytable.redis.model.keyspace.PartitionLayout;
import io.polytable.server.config.FlussLogSettings;
import io.polytable.server.config.Frontends;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ProjectionSettings;
import io.polytable.server.config.StoreSettings;
import io.polytable.server.config.StoreSettings.LogPlace;
import io.polytable.server.run.EngineOpener;
import io.polytable.server.run.ProjectionService;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.RunningStore;
import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.LogReplay;
import io.polytable.store.directory.PartitionDirectories;
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
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.partition.PartitionedStore;
import io.polytable.store.partition.Partitioning;
import io.polytable.table.Stripes;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Opens the store, with its log where the configuration says. */
final class StoreOpener implements EngineOpener {
    @Override
    public RunningStore open(Path directory, Settings settings, Progress progress) {
        return switch (settings.get(StoreSettings.LOG)) {
            case FILE -> openFiles(directory, settings, progress);
            case FLUSS -> openFluss(directory, settings, progress);
        };
    }

    /** As many partitions as the directory has: only logs in Fluss can be configured to several. */
    private static RunningStore openFiles(Path directory, Settings settings, Progress progress) {
        int partitions = Math.max(1, PartitionDirectories.present(directory));
        for (int partition = 0; partition < partitions; partition++) {
            if (LogBinding.isIn(
                    StoreDirectory.presentLogOf(PartitionDirectories.of(directory, partition, partitions)))) {
                throw new RefusedException("The data directory has its log in Fluss: start with store.log=fluss, or"
                        + " bring it back with polytable move --to file");
            }
        }
        EngineOptions options = StoreOptions.engine(settings, partitions);
        FileLogOptions log = StoreOptions.log(settings);
        if (partitions == 1) {
            return StoreEngine.of(EmbeddedStore.open(directory, options, log, progress::at));
        }
        PartitionedStore store =
                EmbeddedStore.openPartitions(directory, partitioning(settings, partitions), options, log, progress::at);
        return StoreEngine.of(store);
    }

    private static Partitioning partitioning(Settings settings, int partitions) {
        int shards = Frontends.redis().shards(settings);
        // Called only for tables that do not exist yet, so a check of existing ones needs no matching configuration. A
        // cell table has all its rows in one partition; any partition will do.
        return partitions == 1
                ? Partitioning.ONE
                : new Partitioning(
                        partitions,
                        table -> CellStore.isCells(table)
                                ? Math.floorMod(table.name().hashCode(), partitions)
                                : new PartitionLayout(shards, partitions).partitionOf(table));
    }

    private static RunningStore openFluss(Path directory, Settings settings, Progress progress) {
        int partitions = settings.get(FlussLogSettings.LOG_GROUPS);
        refuseOtherPartitions(PartitionDirectories.present(directory), partitions);
        FlussStore store = FlussStore.open(
                directory,
                partitioning(settings, partitions),
                StoreOptions.engine(settings, partitions),
                settings(settings),
                logOptions(settings),
                progress::at);
        // Left open, it would keep the directory locked, and no later attempt of this process would succeed.
        return Opening.orClose(store::close, () -> withTables(store, settings));
    }

    private static RunningStore withTables(FlussStore store, Settings settings) {
        if (!settings.get(ProjectionSettings.ENABLED)) {
            FlussTables.names().forEach(name -> Projector.forget(store.cluster(), store.store(), name));
            return new StoreEngine(store.store(), store.engines(), store::close, true, ProjectionService.NONE);
        }
        FlussTables tables = new FlussTables(settings(settings), settings);
        Runnable closing = () -> {
            tables.close();
            store.close();
        };
        return new StoreEngine(store.store(), store.engines(), closing, true, tables);
    }

    private static void refuseOtherPartitions(int present, int configured) {
        if (present != 0 && present != configured) {
            throw new RefusedException("The data directory was written with fluss.log.groups=" + present
                    + ", and that cannot be changed: start with it, not with " + configured);
        }
    }

    static FlussSettings settings(Settings settings) {
        return new FlussSettings(
                settings.get(FlussLogSettings.BOOTSTRAP_SERVERS),
                settings.get(FlussLogSettings.DATABASE),
                settings.get(FlussLogSettings.REPLICATION),
                settings.get(FlussLogSettings.ANSWER_TIMEOUT),
                flussMemory(settings));
    }

    /** A log that is in files has no share in the plan: a command that moves it to Fluss does nothing else meanwhile. */
    private static FlussSettings.Memory flussMemory(Settings settings) {
        if (settings.get(StoreSettings.LOG) != LogPlace.FLUSS) {
            return FlussSettings.Memory.STANDARD;
        }
        MemoryPlan memory = MemoryShares.of(settings);
        return new FlussSettings.Memory(
                memory.budget(MemoryShares.FLUSS_WRITES).limitBytes() / MemoryShares.flussConnections(settings),
                memory.budget(MemoryShares.FLUSS_AHEAD).limitBytes());
    }

    private static FlussLogOptions logOptions(Settings settings) {
        return FlussLogOptions.of(0)
                .withLease(settings.get(FlussLogSettings.LEASE_TIME))
                .withClaimMax(settings.get(FlussLogSettings.CLAIM_TIMEOUT))
                .withCheckpointBytes(settings.get(FlussLogSettings.CHECKPOINT_BYTES));
    }

    /** Moves partition by partition, the last one first; partitions that an interrupted move has moved already stay. */
    @Override
    public void move(Path directory, LogPlace to, Settings settings, Progress progress) {
        int partitions = Math.max(1, PartitionDirectories.present(directory));
        boolean isAnyMoved = false;
        for (int partition = partitions - 1; partition >= 0; partition--) {
            Path own = PartitionDirectories.of(directory, partition, partitions);
            boolean isInFluss = LogBinding.isIn(StoreDirectory.presentLogOf(own));
            boolean isThere = isInFluss == (to == LogPlace.FLUSS);
            if (!isThere || (partition == 0 && !isAnyMoved)) {
                isAnyMoved = true;
                move(own, new Membership(partition, partitions, new Tickets(), new Stripes()), to, settings, progress);
            }
        }
    }

    private static void move(Path directory, Membership member, LogPlace to, Settings settings, Progress progress) {
        Move move = new Move(
                directory,
                member,
                StoreOptions.engine(settings, member.partitions()),
                settings(settings),
                logOptions(settings).withPartition(member.partition()));
        switch (to) {
            case FLUSS -> move.toFluss(StoreOptions.log(settings), progress::at);
            case FILE -> move.toFiles(progress::at);
        }
    }

    @Override
    public Backup.Restored restore(
            Path backup, Path directory, Map<String, Path> bases, Optional<LogReplay.Source> log) {
        return Backup.restore(backup, directory, bases, log);
    }
}
