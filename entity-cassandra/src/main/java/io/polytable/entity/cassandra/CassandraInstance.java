package io.polytable.entity.cassandra;

import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Levels;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.cassandra.group.ColumnIndex;
import io.polytable.entity.cassandra.group.GroupCells;
import io.polytable.entity.cassandra.group.GroupOptions;
import io.polytable.entity.cassandra.group.GroupShape;
import io.polytable.entity.cassandra.group.GroupTable;
import io.polytable.entity.cassandra.group.TimeIndex;
import io.polytable.entity.cassandra.scan.KeyIndex;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.permit.Permissions;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.store.StoredTable;
import io.polytable.table.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/**
 * An instance as a keyspace. The shape of each table is a record, {@code cql/TABLE/GROUP}: written after the table is
 * created, and removed after it is dropped, so that an interrupted step is repeated.
 */
final class CassandraInstance implements InstanceStore {
    private static final int ALTERING_MAX = 20;

    private final Cluster cluster;
    private final String keyspace;
    private final CassandraRecords records;
    private final LayoutBoard board;

    CassandraInstance(Cluster cluster, String keyspace, Duration lease) {
        this.cluster = cluster;
        this.keyspace = keyspace;
        records = new CassandraRecords(cluster, keyspace);
        board = LayoutBoard.leased(lease);
    }

    @Override
    public StoreRecords records() {
        return records;
    }

    @Override
    public LayoutBoard layouts() {
        return board;
    }

    private static String prefix(String table) {
        return "cql/" + table + "/";
    }

    private static String orderKey(String table) {
        return "cql-ordered/" + table;
    }

    @Override
    public void check(TableLayout layout) {
        checkOrder(layout);
        layout.groups().forEach(group -> checked(layout, group));
    }

    @Override
    public void prepare(TableLayout layout) {
        check(layout);
        if (current(layout.name()).isEmpty()) {
            records.put(orderKey(layout.name()), Bytes.utf8(String.valueOf(KeyIndex.isWanted(layout))));
        }
        boolean grows = prepareGroups(layout);
        if (grows && cluster.isAuthenticated()) {
            new Permissions(this).reapply(Optional.of(layout.name()));
        }
    }

    /** An index that is added later would lack existing keys. */
    private void checkOrder(TableLayout layout) {
        Optional<TableLayout> current = current(layout.name());
        if (current.isEmpty()) {
            return;
        }
        // Tables older than this record were created as their layout says.
        String made = records.get(orderKey(layout.name()))
                .map(Bytes::utf8)
                .orElseGet(() -> String.valueOf(KeyIndex.isWanted(current.get())));
        if (!made.equals(String.valueOf(KeyIndex.isWanted(layout)))) {
            throw new EntityException(
                    EntityError.NOT_CAPABLE,
                    "Whether a table is ordered is decided when it is made: make another",
                    Map.of("table", layout.name()));
        }
    }

    private Optional<TableLayout> current(String table) {
        return records.get(LayoutTable.CURRENT + table)
                .filter(record -> !LayoutTable.isDropping(record))
                .map(record -> LayoutTable.read(record).layout());
    }

    /** The shape of a group's existing table, and the shape that the layout requests. */
    private record Checked(Optional<String> made, boolean isLeft, GroupTable table) {}

    /** Refuses an unsupported change of the group. */
    private Checked checked(TableLayout layout, LocalityGroup group) {
        Optional<String> found = records.get(prefix(layout.name()) + group.id()).map(Bytes::utf8);
        // Left by a process that was interrupted while it created a table of this name.
        boolean isLeft = found.isPresent()
                && current(layout.name()).isEmpty()
                && !GroupTable.shapeOf(found.get()).equals(GroupShape.of(group));
        Optional<String> made = isLeft ? Optional.empty() : found;
        GroupShape shape = made.map(GroupTable::shapeOf).orElseGet(() -> GroupShape.of(group));
        shape.check(group);
        String consistency = group.options().get(GroupOptions.CONSISTENCY);
        if (consistency != null) {
            cluster.checkLevel(keyspace, Levels.parse(consistency));
        }
        return new Checked(made, isLeft, GroupTable.of(keyspace, layout.name(), group, shape));
    }

    /** A group whose tables are created or altered, and its record meanwhile. */
    private record Pending(LocalityGroup group, String key, Checked checked, Optional<Bytes> altering) {
        Bytes record() {
            return Bytes.utf8(checked.table().record());
        }
    }

    /** Creates or alters the tables of all groups together; returns whether some are new. */
    private boolean prepareGroups(TableLayout layout) {
        List<String> statements = new ArrayList<>();
        if (KeyIndex.isWanted(layout)) {
            statements.add(KeyIndex.create(keyspace, layout.name()));
        }
        boolean grows = false;
        for (int i = 0; i < ALTERING_MAX; i++) {
            List<Pending> pending = new ArrayList<>();
            boolean isRaced = false;
            for (LocalityGroup group : layout.groups()) {
                Checked checked = checked(layout, group);
                if (!checked.made().equals(Optional.of(checked.table().record()))) {
                    Optional<Pending> marked = mark(layout, group, checked);
                    isRaced |= marked.isEmpty();
                    marked.ifPresent(pending::add);
                }
            }
            pending.forEach(one -> statements.addAll(statements(one.group(), one.checked())));
            cluster.define(statements);
            statements.clear();
            for (Pending one : pending) {
                // Compare-and-set: of two concurrent ALTERs one is repeated, so that the record is right.
                boolean isMine = records.replace(one.key(), one.altering(), one.record());
                isRaced |= !isMine;
                grows |= isMine && one.checked().made().isEmpty();
            }
            if (!isRaced) {
                return grows;
            }
        }
        throw new EntityException(
                EntityError.LAYOUT_CONFLICT, "Too many updates at the same time", Map.of("table", layout.name()));
    }

    /**
     * Marks the record of a group that is about to change; empty if another process was faster. During an ALTER the
     * record matches no layout, so that a table is altered again if the process ends in between.
     */
    private Optional<Pending> mark(TableLayout layout, LocalityGroup group, Checked checked) {
        String key = prefix(layout.name()) + group.id();
        if (checked.isLeft()) {
            dropGroups(layout.name(), List.of(key), List.of());
        }
        Optional<Bytes> made = checked.made().map(Bytes::utf8);
        Optional<Bytes> altering = checked.made().map(record -> Bytes.utf8(GroupTable.altering(record)));
        return made.isPresent() && !records.replace(key, made, altering.get())
                ? Optional.empty()
                : Optional.of(new Pending(group, key, checked, altering));
    }

    private static List<String> statements(LocalityGroup group, Checked checked) {
        GroupTable table = checked.table();
        GroupShape shape = table.shape();
        boolean isNew = checked.made().isEmpty();
        List<String> statements = new ArrayList<>();
        statements.add(isNew ? table.create() : table.alter());
        // The entries of index tables must live as long as the cells.
        if (shape.byTime()) {
            statements.add(isNew ? TimeIndex.create(table, group) : TimeIndex.alter(table, group));
        }
        if (shape.byColumn()) {
            statements.add(isNew ? ColumnIndex.create(table, group) : ColumnIndex.alter(table, group));
        }
        return statements;
    }

    @Override
    public void permit(String user, Optional<String> table, Set<Permission> permissions) {
        if (!cluster.isAuthenticated()) {
            throw new EntityException(
                    EntityError.NOT_CAPABLE, "Only a session with a user changes permissions: the URI names none");
        }
        RoleGrants grants = new RoleGrants(cluster, keyspace);
        if (table.isPresent()) {
            grants.setForTables(user, tables(table.get()), permissions);
        } else {
            grants.setForInstance(user, permissions);
        }
        permitRecords(user, table, permissions);
    }

    /**
     * Grants read access to the records to users with any permission, and write access to those who may change the
     * instance.
     */
    private void permitRecords(String user, Optional<String> table, Set<Permission> permissions) {
        Permissions recorded = new Permissions(this);
        Set<Permission> ofInstance = table.isEmpty() ? permissions : recorded.of(user, Optional.empty());
        boolean changes = ofInstance.contains(Permission.WRITE) || ofInstance.contains(Permission.GRANT);
        boolean reads = !permissions.isEmpty() || recorded.isKnownBeside(user, table);
        new RoleGrants(cluster, keyspace).setForRecords(user, reads, changes);
    }

    /** Cassandra removes the permissions for dropped tables; this code maintains those for the records. */
    @Override
    public void forget(String table) {
        if (cluster.isAuthenticated()) {
            new Permissions(this).users(Optional.of(table)).keySet().forEach(user -> forget(user, table));
        }
        InstanceStore.super.forget(table);
    }

    private void forget(String user, String table) {
        try {
            permitRecords(user, Optional.of(table), Set.of());
        } catch (EntityException e) {
            // A user who may drop a table need not have GRANT: the role then still reads the records.
            if (e.error() != EntityError.DENIED) {
                throw e;
            }
        }
    }

    /** The CQL tables of an entity table. */
    private List<String> tables(String table) {
        List<String> names = new ArrayList<>();
        records.withPrefix(prefix(table))
                .forEach((key, record) -> names.addAll(tables(table, key, GroupTable.shapeOf(record.utf8()))));
        if (current(table).map(KeyIndex::isWanted).orElse(false)) {
            names.add(Names.keys(table));
        }
        return names;
    }

    /** The tables of a locality group. */
    private static List<String> tables(String table, String key, GroupShape shape) {
        String name = Names.table(table, key.substring(prefix(table).length()));
        List<String> names = new ArrayList<>(List.of(name));
        if (shape.byTime()) {
            names.add(Names.byTime(name));
        }
        if (shape.byColumn()) {
            names.add(Names.byColumn(name));
        }
        return names;
    }

    @Override
    public void trim(TableLayout layout) {
        List<String> keys = layout.retiredGroups().stream()
                .map(group -> prefix(layout.name()) + group)
                .toList();
        dropGroups(layout.name(), keys, List.of());
    }

    /** Drops the tables of these groups, then removes their records; more statements may go with them. */
    private void dropGroups(String table, Collection<String> keys, List<String> more) {
        List<String> statements = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (String key : keys) {
            Optional<Bytes> record = records.get(key);
            if (record.isPresent()) {
                found.add(key);
                GroupShape shape = GroupTable.shapeOf(record.get().utf8());
                for (String name : tables(table, key, shape)) {
                    statements.add("DROP TABLE IF EXISTS " + Names.quoted(keyspace) + "." + Names.quoted(name));
                }
            }
        }
        statements.addAll(more);
        cluster.define(statements);
        found.forEach(records::remove);
    }

    @Override
    public void drop(TableLayout layout) {
        dropGroups(
                layout.name(),
                records.withPrefix(prefix(layout.name())).keySet(),
                List.of(KeyIndex.drop(keyspace, layout.name())));
        records.remove(orderKey(layout.name()));
    }

    /** Whether this process still uses the layout: a call under an earlier one must not remove versions. */
    private boolean isPosted(TableLayout layout) {
        return board.current(layout.name())
                .map(columns -> columns.layout().equals(layout))
                .orElse(false);
    }

    @Override
    public StoredTable table(TableLayout layout) {
        NavigableMap<String, Bytes> found = records.withPrefix(prefix(layout.name()));
        Map<String, GroupCells> groups = new LinkedHashMap<>();
        for (LocalityGroup group : layout.groups()) {
            Bytes record = found.get(prefix(layout.name()) + group.id());
            if (record == null) {
                throw new EntityException(
                        EntityError.STALE_LAYOUT,
                        "A locality group has no table in Cassandra",
                        Map.of("table", layout.name(), "group", group.name()));
            }
            GroupShape shape = GroupTable.shapeOf(record.utf8());
            GroupTable made = GroupTable.of(keyspace, layout.name(), group, shape);
            groups.put(group.id(), new GroupCells(cluster, group, made, () -> isPosted(layout)));
        }
        Optional<KeyIndex> index = KeyIndex.isWanted(layout)
                ? Optional.of(new KeyIndex(cluster, keyspace, layout.name()))
                : Optional.empty();
        return new CassandraTable(cluster, groups, index);
    }
}
