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

/** A store whose logs are in Fluss, with its connection and checkpointers. */
public final class FlussStore implements AutoCloseable {
    private final FlussCluster cluster;
    private final TableStore store;
    private final List<FlussGroup> groups;
    private final Runnable closeCluster;

    private FlussStore(FlussCluster cluster, TableStore store, List<FlussGroup> groups, Runnable closeCluster) {
        this.cluster = cluster;
        this.store = store;
        this.groups = List.copyOf(groups);
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
        GroupDirectories.take(directory, 1);
        FlussGroup only = FlussGroup.open(directory, options, Membership.alone(), cluster, logOptions, progress);
        return new FlussStore(cluster, only.engine(), List.of(only), closeCluster);
    }

    /**
     * Connects, takes all logs of the database over and brings the states up to date with them.
     *
     * @param options of each group
     * @param logOptions of each log, except for its group
     * @throws io.polytable.table.StoreException {@link io.polytable.table.StoreError#BAD_SPEC} if the directory or the
     *     database was written with another number of groups
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
                return open(directory, options, cluster, logOptions.withGroup(0), progress, cluster::close);
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
            return new FlussStore(cluster, store, opened, cluster::close);
        } catch (RuntimeException e) {
            opened.forEach(FlussGroup::stopCheckpoints);
            throw e;
        }
    }

    public TableStore store() {
        return store;
    }

    /** The groups' engines, in order; with one group, the store itself. */
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

    /** Shared with everything else that this store keeps in Fluss. */
    public FlussCluster cluster() {
        return cluster;
    }

    /** Writes a checkpoint of each group to Fluss now, and trims the logs before them. */
    public List<Backup.Contents> checkpoint() {
        return groups.stream().map(FlussGroup::checkpoint).toList();
    }

    @Override
    public void close() {
        groups.forEach(FlussGroup::stopCheckpoints);
        try {
            store.close();
        } finally {
            closeCluster.run();
        }
    }
}
