package io.polytable.entity.cassandra;

import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.store.StoredTable;
import io.polytable.table.Bytes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * A keyspace of tables. How each table was made is a record, {@code cql/TABLE/GROUP}: written after the table is there, and
 * removed after it is gone, so that a step that was cut short is done again.
 */
final class CassandraInstance implements InstanceStore {
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

    @Override
    public void prepare(TableLayout layout) {
        for (LocalityGroup group : layout.groups()) {
            String key = prefix(layout.name()) + group.id();
            Optional<String> made = records.get(key).map(Bytes::utf8);
            boolean single = made.map(GroupTable::isSingle).orElse(group.maxVersions() == 1);
            if (single && group.maxVersions() > 1) {
                throw new EntityException(
                        EntityError.NOT_CAPABLE,
                        "A locality group that was made for one version cannot keep more: make another",
                        Map.of("group", group.name()));
            }
            GroupTable table = GroupTable.of(keyspace, layout.name(), group, single);
            if (made.isEmpty()) {
                cluster.define(table.create());
            } else if (!made.get().equals(table.record())) {
                cluster.define(table.alter());
            }
            if (!made.equals(Optional.of(table.record()))) {
                records.put(key, Bytes.utf8(table.record()));
            }
        }
        if (KeyIndex.isWanted(layout)) {
            KeyIndex.create(cluster, keyspace, layout.name());
        }
    }

    @Override
    public void trim(TableLayout layout) {
        NavigableMap<String, Bytes> made = records.withPrefix(prefix(layout.name()));
        layout.groups().forEach(group -> made.remove(prefix(layout.name()) + group.id()));
        made.keySet().forEach(key -> dropGroup(layout.name(), key));
    }

    private void dropGroup(String table, String key) {
        String name = Names.table(table, key.substring(prefix(table).length()));
        cluster.define("DROP TABLE IF EXISTS " + Names.quoted(keyspace) + "." + Names.quoted(name));
        records.remove(key);
    }

    @Override
    public void drop(TableLayout layout) {
        records.withPrefix(prefix(layout.name())).keySet().forEach(key -> dropGroup(layout.name(), key));
        KeyIndex.drop(cluster, keyspace, layout.name());
    }

    @Override
    public StoredTable table(TableLayout layout) {
        NavigableMap<String, Bytes> made = records.withPrefix(prefix(layout.name()));
        Map<String, GroupCells> groups = new LinkedHashMap<>();
        for (LocalityGroup group : layout.groups()) {
            Bytes record = made.get(prefix(layout.name()) + group.id());
            if (record == null) {
                throw new EntityException(
                        EntityError.STALE_LAYOUT,
                        "A locality group has no table in Cassandra",
                        Map.of("table", layout.name(), "group", group.name()));
            }
            boolean single = GroupTable.isSingle(record.utf8());
            groups.put(
                    group.id(), new GroupCells(cluster, group, GroupTable.of(keyspace, layout.name(), group, single)));
        }
        Optional<KeyIndex> index = KeyIndex.isWanted(layout)
                ? Optional.of(new KeyIndex(cluster, keyspace, layout.name()))
                : Optional.empty();
        return new CassandraTable(cluster, groups, index);
    }
}
