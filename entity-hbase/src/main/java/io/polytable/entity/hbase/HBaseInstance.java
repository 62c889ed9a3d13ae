package io.polytable.entity.hbase;

import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.store.StoredTable;
import java.util.Optional;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** An instance as a namespace of tables, whose column families are locality groups. */
final class HBaseInstance implements InstanceStore {
    private final HBaseCluster cluster;
    private final String namespace;
    private final HBaseRecords records;
    private final LayoutBoard board;

    HBaseInstance(HBaseCluster cluster, String namespace, LayoutBoard board) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.board = board;
        records = new HBaseRecords(cluster, namespace);
    }

    @Override
    public StoreRecords records() {
        return records;
    }

    @Override
    public LayoutBoard layouts() {
        return board;
    }

    private TableName name(TableLayout layout) {
        return Names.table(namespace, layout.name());
    }

    @Override
    public void prepare(TableLayout layout) {
        AsyncAdmin admin = cluster.admin();
        TableName name = name(layout);
        if (!cluster.define(admin.tableExists(name))) {
            TableDescriptor wanted = TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamilies(Families.of(layout, Optional.empty()))
                    .build();
            cluster.define(HBaseStore.unless(admin.createTable(wanted), TableExistsException.class));
        }
        TableDescriptor present = cluster.define(admin.getDescriptor(name));
        // Family by family: another process may be adding or dropping others.
        for (ColumnFamilyDescriptor family : Families.of(layout, Optional.of(present))) {
            if (!present.hasColumnFamily(family.getName())) {
                cluster.define(admin.addColumnFamily(name, family));
            } else if (!family.equals(present.getColumnFamily(family.getName()))) {
                cluster.define(admin.modifyColumnFamily(name, family));
            }
        }
    }

    @Override
    public void trim(TableLayout layout) {
        AsyncAdmin admin = cluster.admin();
        TableName name = name(layout);
        TableDescriptor present = cluster.define(admin.getDescriptor(name));
        for (String group : layout.retiredGroups()) {
            if (present.hasColumnFamily(Names.family(group))) {
                cluster.define(admin.deleteColumnFamily(name, Names.family(group)));
            }
        }
    }

    @Override
    public void drop(TableLayout layout) {
        HBaseStore.dropTable(cluster, name(layout));
    }

    @Override
    public StoredTable table(TableLayout layout) {
        return new HBaseTable(cluster, name(layout), layout);
    }
}
