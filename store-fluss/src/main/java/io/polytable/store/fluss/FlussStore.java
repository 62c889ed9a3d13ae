package io.polytable.store.fluss;

import io.polytable.store.Backup;
import io.polytable.store.directory.GroupDirectories;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Recovery;
import io.polytable.store.group.GroupedStore;
import io.polytable.store.group.Grouping;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A store whose log or logs are in Fluss, with the connection they use and the checkpoints they make. */
public final class FlussStore implements AutoCloseable {
    private final FlussCluster cluster;
    private final TableStore store;
    private final List<FlussGroup> groups;

    private FlussStore(FlussCluster cluster, TableStore store, List<FlussGroup> groups) {
        this.cluster = cluster;
        this.store = store;
        this.groups = List.copyOf(groups);
    }

    /** Connects, takes one log over, and brings the directory's state up to it. */
    public static FlussStore open(
            Path directory,
            EngineOptions options,
            FlussSettings settings,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        FlussCluster cluster = FlussCluster.open(settings);
        try {
            return open(directory, options, cluster, logOptions, progress);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static FlussStore open(
            Path directory,
            EngineOptions options,
            FlussCluster cluster,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        GroupDirectories.take(directory, 1);
        FlussGroup only = FlussGroup.open(directory, options, Membership.alone(), cluster, logOptions, progress);
        return new FlussStore(cluster, only.engine(), List.of(only));
    }

    /**
     * Connects, takes all logs of the database over, and brings the states up to them.
     *
     * @param options of each group
     * @param logOptions of each log but for its group
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#BAD_SPEC} when there are data of
     *     another number of groups, in the directory or in Fluss
     */
    public static FlussStore open(
            Path directory,
            Grouping grouping,
            EngineOptions options,
            FlussSettings settings,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        GroupDirectories.check(directory, grouping.count());
        FlussCluster cluster = FlussCluster.open(settings);
        try {
            LogTables.check(cluster, grouping.count());
            if (grouping.count() == 1) {
                return open(directory, options, cluster, logOptions.withGroup(0), progress);
            }
            LogTables.create(cluster, grouping.count());
            return openGroups(directory, grouping, options, cluster, logOptions, progress);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static FlussStore openGroups(
            Path directory,
            Grouping grouping,
            EngineOptions options,
            FlussCluster cluster,
            FlussLogOptions logOptions,
            Recovery.Progress progress) {
        List<FlussGroup> opened = new ArrayList<>();
        try {
            GroupedStore store = GroupedStore.open(directory, grouping, (at, member) -> {
                FlussLogOptions own = logOptions.withGroup(member.group());
                FlussGroup group = FlussGroup.open(at, options, member, cluster, own, progress);
                opened.add(group);
                return group.engine();
            });
            return new FlussStore(cluster, store, opened);
        } catch (RuntimeException e) {
            opened.forEach(FlussGroup::stopCheckpoints);
            throw e;
        }
    }

    /**
     * What Fluss takes of such a heap at most, besides the rows: what is on its way to the cluster, and rows of the log that
     * readers asked for ahead.
     *
     * @param connections the store's, and one for each face whose tables are readable in Fluss
     */
    public static long bufferBytes(long heapBytes, int connections) {
        return connections * FlussCluster.writeBufferBytes(heapBytes)
                + (long) RowFetcher.aheadMax(heapBytes) * RowPacker.PART_BYTES;
    }

    public TableStore store() {
        return store;
    }

    /** The groups' engines, in their order; one is the store itself. */
    public List<Engine> engines() {
        return groups.stream().map(FlussGroup::engine).toList();
    }

    /** Of a store that is one engine. */
    Engine engine() {
        return groups.get(0).engine();
    }

    /** Of a store that is one engine. */
    FlussLog log() {
        return groups.get(0).log();
    }

    /** Shared by whatever else is kept in Fluss for this store. */
    public FlussCluster cluster() {
        return cluster;
    }

    /** Writes an image of each group's state to Fluss now, and gives up the log before it. */
    public List<Backup.Contents> checkpoint() {
        return groups.stream().map(FlussGroup::checkpoint).toList();
    }

    @Override
    public void close() {
        groups.forEach(FlussGroup::stopCheckpoints);
        try {
            store.close();
        } finally {
            cluster.close();
        }
    }
}
