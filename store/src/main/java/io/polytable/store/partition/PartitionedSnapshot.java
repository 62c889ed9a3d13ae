package io.polytable.store.partition;

import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Opening;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A snapshot of every partition. */
final class PartitionedSnapshot implements Snapshot {
    private final List<Snapshot> partitions;

    /** @param partitions taken at one point in time, in the partitions' order */
    PartitionedSnapshot(List<Snapshot> partitions) {
        this.partitions = partitions;
    }

    private Snapshot of(Table table) {
        return partitions.get(Membership.partitionOf(table.id(), partitions.size()));
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        return of(table).read(table, key);
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        return of(table).readMany(table, keys);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return of(table).scan(table, range, direction, limit);
    }

    @Override
    public ChangeFeed changes(Set<Table> tables) {
        Map<Integer, Set<Table>> byPartition = new HashMap<>();
        tables.forEach(table -> byPartition
                .computeIfAbsent(Membership.partitionOf(table.id(), partitions.size()), partition -> new HashSet<>())
                .add(table));
        PartitionedFeed feed = new PartitionedFeed(position().parts());
        try {
            byPartition.forEach((partition, some) ->
                    feed.add(partition, partitions.get(partition).changes(some)));
            return feed;
        } catch (RuntimeException e) {
            feed.close();
            throw e;
        }
    }

    @Override
    public Position position() {
        return Position.joined(partitions.stream().map(Snapshot::position).toList());
    }

    @Override
    public long version(RangeChanges changes, int range) {
        return of(changes.table()).version(changes, range);
    }

    @Override
    public void close() {
        Opening.closeAll(partitions.stream().map(partition -> partition::close));
    }
}
