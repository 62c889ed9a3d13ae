package io.polytable.store.partition;

import io.polytable.store.directory.PartitionDirectories;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.JointSnapshot;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Opening;
import io.polytable.store.engine.Tickets;
import io.polytable.store.feed.ReaderPool;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A store over several engines. Each table belongs to one engine, its partition. Each partition has its own log, so a batch
 * must stay within one partition. Otherwise it behaves like one engine: tickets and table ids are unique across partitions, a
 * snapshot shows all partitions as of one point in time, and a read is durable once every log has what it saw.
 */
public final class PartitionedStore implements TableStore {
    private static final Comparator<Table> BY_NAME = Comparator.comparing(
                    (Table table) -> table.name().namespace())
            .thenComparing(table -> table.name().name());

    private final Engine[] engines;
    private final PlacementPolicy placement;
    private final Stripes stripes;

    private PartitionedStore(Engine[] engines, PlacementPolicy placement, Stripes stripes) {
        this.engines = engines;
        this.stripes = stripes;
        this.placement = placement;
    }

    /** Opens one of the partitions. */
    public interface PartitionOpener {
        Engine open(Path directory, Membership member);
    }

    /** Opens or creates a store of two or more partitions; each has its own subdirectory. */
    public static PartitionedStore open(Path directory, Partitioning partitioning, PartitionOpener opener) {
        int partitions = partitioning.count();
        PartitionDirectories.take(directory, partitions);
        Tickets tickets = new Tickets();
        Stripes stripes = new Stripes();
        ReaderPool readers = new ReaderPool();
        List<Engine> engines = new ArrayList<>();
        return Opening.orClose(() -> Opening.closeAll(engines.stream().map(engine -> engine::abandon)), () -> {
            for (int partition = 0; partition < partitions; partition++) {
                Membership member = new Membership(partition, partitions, tickets, stripes, readers);
                engines.add(opener.open(PartitionDirectories.of(directory, partition), member));
            }
            return new PartitionedStore(engines.toArray(Engine[]::new), partitioning.placement(), stripes);
        });
    }

    /** The partitions, in their order. */
    public List<Engine> engines() {
        return List.of(engines);
    }

    @Override
    public int partitions() {
        return engines.length;
    }

    @Override
    public int partition(TableName name) {
        return find(name).map(this::partitionOf).orElseGet(() -> placed(name));
    }

    private int placed(TableName name) {
        int partition = placement.partitionOf(name);
        if (partition < 0 || partition >= engines.length) {
            throw new IllegalStateException("no such partition: " + partition + " for " + name);
        }
        return partition;
    }

    private int partitionOf(Table table) {
        return Membership.partitionOf(table.id(), engines.length);
    }

    private Engine engineOf(Table table) {
        return engines[partitionOf(table)];
    }

    @Override
    public synchronized Table create(TableSpec spec) {
        return engines[partition(spec.name())].create(spec);
    }

    @Override
    public Optional<Table> find(TableName name) {
        for (Engine engine : engines) {
            Optional<Table> found = engine.find(name);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    @Override
    public List<Table> tables() {
        return Arrays.stream(engines)
                .flatMap(engine -> engine.tables().stream())
                .sorted(BY_NAME)
                .toList();
    }

    @Override
    public synchronized Table addColumn(TableName name, Column column) {
        return engines[partition(name)].addColumn(name, column);
    }

    @Override
    public synchronized Table setTtl(TableName name, Optional<Duration> ttl) {
        return engines[partition(name)].setTtl(name, ttl);
    }

    @Override
    public synchronized void drop(TableName name) {
        engines[partition(name)].drop(name);
    }

    @Override
    public Stripes stripes() {
        return stripes;
    }

    /** All partitions draw from the same tickets. */
    @Override
    public long ticket() {
        return engines[0].ticket();
    }

    @Override
    public Commit commit(Batch batch) {
        if (!batch.isEmpty()) {
            Commit unusedOfItsPartition = engines[partitionOf(batch)].commit(batch);
        }
        return latest();
    }

    private int partitionOf(Batch batch) {
        EncodedRow row = new EncodedRow();
        int partition = Membership.partitionOf(batch.row(row, 0).table(), engines.length);
        for (int i = 1; i < batch.size(); i++) {
            int other = Membership.partitionOf(batch.row(row, i).table(), engines.length);
            if (other != partition) {
                throw new StoreException(
                        StoreError.CROSS_PARTITION,
                        "A batch must stay within one partition of tables",
                        Map.of("one", partition, "other", other));
            }
        }
        return partition;
    }

    @Override
    public Commit latest() {
        Commit[] commits = new Commit[engines.length];
        for (int partition = 0; partition < commits.length; partition++) {
            commits[partition] = engines[partition].latest();
        }
        return new PartitionedCommit(commits);
    }

    /** Does nothing for partitions without pending records. */
    @Override
    public void flush() {
        for (Engine engine : engines) {
            engine.flush();
        }
    }

    @Override
    public boolean hasRoom() {
        for (Engine engine : engines) {
            if (!engine.hasRoom()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void whenRoom(Runnable action) {
        for (Engine engine : engines) {
            if (!engine.hasRoom()) {
                // Another partition may have run out of space by then.
                engine.whenRoom(() -> whenRoom(action));
                return;
            }
        }
        action.run();
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        return engineOf(table).read(table, key);
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        return engineOf(table).readMany(table, keys);
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys, long bytesMax) {
        return engineOf(table).readMany(table, keys, bytesMax);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return engineOf(table).scan(table, range, direction, limit);
    }

    @Override
    public Snapshot snapshot() {
        return new PartitionedSnapshot(JointSnapshot.of(engines()));
    }

    @Override
    public ChangeFeed changes(Set<Table> tables, Position from) {
        List<Position.Part> start = from.parts(engines.length);
        Map<Integer, Set<Table>> byPartition = new HashMap<>();
        tables.forEach(table -> byPartition
                .computeIfAbsent(partitionOf(table), partition -> new HashSet<>())
                .add(table));
        PartitionedFeed feed = new PartitionedFeed(start);
        try {
            for (Map.Entry<Integer, Set<Table>> some : byPartition.entrySet()) {
                int partition = some.getKey();
                feed.add(
                        partition,
                        engines[partition].changes(some.getValue(), new Position(List.of(start.get(partition)))));
            }
            return feed;
        } catch (RuntimeException e) {
            feed.close();
            throw e;
        }
    }

    @Override
    public RangeChanges rangeChanges(Table table, List<Bytes> bounds) {
        return engineOf(table).rangeChanges(table, bounds);
    }

    @Override
    public Position position() {
        return Position.joined(Arrays.stream(engines).map(Engine::position).toList());
    }

    @Override
    public InstantSource clock() {
        return engines[0].clock();
    }

    @Override
    public Cursor expired(Table table, long limit) {
        return engineOf(table).expired(table, limit);
    }

    @Override
    public void close() {
        Opening.closeAll(Arrays.stream(engines).map(engine -> engine::close));
    }
}
