package io.polytable.store.group;

import io.polytable.store.directory.GroupDirectories;
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
 * A store over several engines. Each table belongs to one engine, its group. Each group has its own log, so a batch
 * must stay within one group. Otherwise it behaves like one engine: tickets and table ids are unique across groups, a
 * snapshot shows all groups as of one point in time, and a read is durable once every log has what it saw.
 */
public final class GroupedStore implements TableStore {
    private static final Comparator<Table> BY_NAME = Comparator.comparing(
                    (Table table) -> table.name().namespace())
            .thenComparing(table -> table.name().name());

    private final Engine[] engines;
    private final PlacementPolicy placement;
    private final Stripes stripes;

    private GroupedStore(Engine[] engines, PlacementPolicy placement, Stripes stripes) {
        this.engines = engines;
        this.stripes = stripes;
        this.placement = placement;
    }

    /** Opens one of the groups. */
    public interface GroupOpener {
        Engine open(Path directory, Membership member);
    }

    /** Opens or creates a store of two or more groups; each has its own subdirectory. */
    public static GroupedStore open(Path directory, Grouping grouping, GroupOpener opener) {
        int groups = grouping.count();
        GroupDirectories.take(directory, groups);
        Tickets tickets = new Tickets();
        Stripes stripes = new Stripes();
        ReaderPool readers = new ReaderPool();
        List<Engine> engines = new ArrayList<>();
        return Opening.orClose(() -> Opening.closeAll(engines.stream().map(engine -> engine::abandon)), () -> {
            for (int group = 0; group < groups; group++) {
                Membership member = new Membership(group, groups, tickets, stripes, readers);
                engines.add(opener.open(GroupDirectories.of(directory, group), member));
            }
            return new GroupedStore(engines.toArray(Engine[]::new), grouping.placement(), stripes);
        });
    }

    /** The groups, in their order. */
    public List<Engine> engines() {
        return List.of(engines);
    }

    @Override
    public int groups() {
        return engines.length;
    }

    @Override
    public int group(TableName name) {
        return find(name).map(this::groupOf).orElseGet(() -> placed(name));
    }

    private int placed(TableName name) {
        int group = placement.groupOf(name);
        if (group < 0 || group >= engines.length) {
            throw new IllegalStateException("no such group: " + group + " for " + name);
        }
        return group;
    }

    private int groupOf(Table table) {
        return Membership.groupOf(table.id(), engines.length);
    }

    private Engine engineOf(Table table) {
        return engines[groupOf(table)];
    }

    @Override
    public synchronized Table create(TableSpec spec) {
        return engines[group(spec.name())].create(spec);
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
        return engines[group(name)].addColumn(name, column);
    }

    @Override
    public synchronized Table setTtl(TableName name, Optional<Duration> ttl) {
        return engines[group(name)].setTtl(name, ttl);
    }

    @Override
    public synchronized void drop(TableName name) {
        engines[group(name)].drop(name);
    }

    @Override
    public Stripes stripes() {
        return stripes;
    }

    /** All groups draw from the same tickets. */
    @Override
    public long ticket() {
        return engines[0].ticket();
    }

    @Override
    public Commit commit(Batch batch) {
        if (!batch.isEmpty()) {
            Commit unusedOfItsGroup = engines[groupOf(batch)].commit(batch);
        }
        return latest();
    }

    private int groupOf(Batch batch) {
        EncodedRow row = new EncodedRow();
        int group = Membership.groupOf(batch.row(row, 0).table(), engines.length);
        for (int i = 1; i < batch.size(); i++) {
            int other = Membership.groupOf(batch.row(row, i).table(), engines.length);
            if (other != group) {
                throw new StoreException(
                        StoreError.CROSS_GROUP,
                        "A batch must stay within one group of tables",
                        Map.of("one", group, "other", other));
            }
        }
        return group;
    }

    @Override
    public Commit latest() {
        Commit[] commits = new Commit[engines.length];
        for (int group = 0; group < commits.length; group++) {
            commits[group] = engines[group].latest();
        }
        return new GroupedCommit(commits);
    }

    /** Does nothing for groups without pending records. */
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
                // Another group may have run out of space by then.
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
        return new GroupedSnapshot(JointSnapshot.of(engines()));
    }

    @Override
    public ChangeFeed changes(Set<Table> tables, Position from) {
        List<Position.Part> start = from.parts(engines.length);
        Map<Integer, Set<Table>> byGroup = new HashMap<>();
        tables.forEach(table -> byGroup.computeIfAbsent(groupOf(table), group -> new HashSet<>())
                .add(table));
        GroupedFeed feed = new GroupedFeed(start);
        try {
            for (Map.Entry<Integer, Set<Table>> some : byGroup.entrySet()) {
                int group = some.getKey();
                feed.add(group, engines[group].changes(some.getValue(), new Position(List.of(start.get(group)))));
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
