package io.polytable.store.group;

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

/** A snapshot of every group. */
final class GroupedSnapshot implements Snapshot {
    private final List<Snapshot> groups;

    /** @param groups taken at one point in time, in the groups' order */
    GroupedSnapshot(List<Snapshot> groups) {
        this.groups = groups;
    }

    private Snapshot of(Table table) {
        return groups.get(Membership.groupOf(table.id(), groups.size()));
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
        Map<Integer, Set<Table>> byGroup = new HashMap<>();
        tables.forEach(table -> byGroup.computeIfAbsent(
                        Membership.groupOf(table.id(), groups.size()), group -> new HashSet<>())
                .add(table));
        GroupedFeed feed = new GroupedFeed(position().parts());
        try {
            byGroup.forEach((group, some) -> feed.add(group, groups.get(group).changes(some)));
            return feed;
        } catch (RuntimeException e) {
            feed.close();
            throw e;
        }
    }

    @Override
    public Position position() {
        return Position.joined(groups.stream().map(Snapshot::position).toList());
    }

    @Override
    public long version(RangeChanges changes, int range) {
        return of(changes.table()).version(changes, range);
    }

    @Override
    public void close() {
        Opening.closeAll(groups.stream().map(group -> group::close));
    }
}
