package io.polytable.store.fluss;

import io.polytable.store.Backup;
import io.polytable.store.directory.PartitionDirectories;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Recovery;
import io.polytable.store.partition.PartitionedStore;
import io.polytable.store.partition.Partitioning;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A store whose logs are in Fluss, with its connection and checkpointers. */
public final class FlussStore implements AutoCloseable {
    private final FlussCluster cluster;
    private final TableStore store;
    private final List<FlussPartition> partitions;
    private final Runnable closeCluster;

    private FlussStore(FlussCluster cluster, TableStore store, List<FlussPartition> partitions, Runnable closeCluster) {
        this.cluster = cluster;
        this.store = store;
        this.partitions = List.copyOf(partitions);
        this.closeCluster = closeCluster;
    }

    /** Connects, takes one log over and brings the directory's state up to date with it. */
    public static FlussStore open(
            Path directory,
            EngineOptions options,
            FlussSettings settings,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        FlussCluster cluster = FlussCluster.open(settings);
        try {
            return open(directory, options, cluster, logOptions, progress, cluster::close);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Takes one log over, through a connection that the caller shares with others and closes after them. */
    public static FlussStore open(
            Path directory,
            EngineOptions options,
            FlussCluster cluster,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        return open(directory, options, cluster, logOptions, progress, () -> {});
    }

    private static FlussStore open(
            Path directory,
            EngineOptions options,
            FlussCluster cluster,
            FlussLogOptions logOptions,
            Recovery.Progress progress,
            Runnable closeCluster) {
        PartitionDirectories.take(directory, 1);
        FlussPartition only =
                FlussPartition.open(directory, options, Membership.alone(), cluster, logOptions, progress);
        return new FlussStore(cluster, only.engine(), List.of(only), closeCluster);
    }

    /**
     * Connects, takes all logs of the database over and brings the states up to date with them.
     *
     * @param options of each partition
     * @param logOptions of each log, except for its partition
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#BAD_SPEC} if the directory or the
     *     database was written with another number of partitions
     */
    public static FlussStore open(
            Path directory,
            Partitioning partitioning,
            EngineOptions options,
            FlussSettings settings,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        PartitionDirectories.check(directory, partitioning.count());
        FlussCluster cluster = FlussCluster.open(settings);
        try {
            LogTables.check(cluster, partitioning.count());
            if (partitioning.count() == 1) {
                return open(directory, options, cluster, logOptions.withPartition(0), progress, cluster::close);
            }
            LogTables.create(cluster, partitioning.count());
            return openPartitions(directory, partitioning, options, cluster, logOptions, progress);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static FlussStore openPartitions(
            Path directory,
            Partitioning partitioning,
            EngineOptions options,
            FlussCluster cluster,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        List<FlussPartition> opened = new ArrayList<>();
        try {
            PartitionedStore store = PartitionedStore.open(directory, partitioning, (at, member) -> {
                FlussLogOptions own = logOptions.withPartition(member.partition());
                FlussPartition partition = FlussPartition.open(at, options, member, cluster, own, progress);
                opened.add(partition);
                return partition.engine();
            });
            return new FlussStore(cluster, store, opened, cluster::close);
        } catch (RuntimeException e) {
            opened.forEach(FlussPartition::stopCheckpoints);
            throw e;
        }
    }

    public TableStore store() {
        return store;
    }

    /** The partitions' engines, in order; with one partition, the store itself. */
    public List<Engine> engines() {
        return partitions.stream().map(FlussPartition::engine).toList();
    }

    /** Of a store that is one engine. */
    Engine engine() {
        return partitions.get(0).engine();
    }

    /** Of a store that is one engine. */
    FlussLog log() {
        return partitions.get(0).log();
    }

    /** Shared with everything else that this store keeps in Fluss. */
    public FlussCluster cluster() {
        return cluster;
    }

    /** Writes a checkpoint of each partition to Fluss now, and trims the logs before them. */
    public List<Backup.Contents> checkpoint() {
        return partitions.stream().map(FlussPartition::checkpoint).toList();
    }

    @Override
    public void close() {
        partitions.forEach(FlussPartition::stopCheckpoints);
        try {
            store.close();
        } finally {
            closeCluster.run();
        }
    }
}
