package io.polytable.entity.hbase;

import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The records of an instance, one row each; compare-and-set is HBase's check-and-mutate. */
final class HBaseRecords implements StoreRecords {
    private static final byte[] FAMILY = Bytes.utf8("r").toByteArray();
    private static final byte[] VALUE = Bytes.utf8("value").toByteArray();

    private final HBaseCluster cluster;
    private final AsyncTable<ScanResultConsumer> table;

    HBaseRecords(HBaseCluster cluster, String namespace) {
        this.cluster = cluster;
        table = cluster.table(Names.records(namespace));
    }

    static TableDescriptor descriptor(TableName name) {
        return TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setMaxVersions(1)
                        .build())
                .build();
    }

    private static byte[] row(String key) {
        return Bytes.utf8(key).toByteArray();
    }

    @Override
    public Optional<Bytes> get(String key) {
        return value(cluster.await(table.get(new Get(row(key)).addColumn(FAMILY, VALUE))));
    }

    private static Optional<Bytes> value(Result result) {
        return Optional.ofNullable(result.getValue(FAMILY, VALUE)).map(Bytes::of);
    }

    private static Put newValue(String key, Bytes value) {
        return new Put(row(key)).addColumn(FAMILY, VALUE, value.toByteArray());
    }

    @Override
    public void put(String key, Bytes value) {
        cluster.await(table.put(newValue(key, value)));
    }

    @Override
    public void remove(String key) {
        cluster.await(HBaseTable.settled(table.delete(new Delete(row(key)))));
    }

    @Override
    public boolean replace(String key, Optional<Bytes> expected, Bytes value) {
        CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(row(key));
        CheckAndMutate change = (expected.isPresent()
                        ? builder.ifEquals(FAMILY, VALUE, expected.get().toByteArray())
                        : builder.ifNotExists(FAMILY, VALUE))
                .build(newValue(key, value));
        CheckAndMutateResult result = cluster.await(Failures.translatedOnce(table.checkAndMutate(change)));
        return result.isSuccess();
    }

    @Override
    public NavigableMap<String, Bytes> withPrefix(String prefix) {
        Scan scan = new Scan().addColumn(FAMILY, VALUE);
        if (!prefix.isEmpty()) {
            scan.setStartStopRowForPrefixScan(row(prefix));
        }
        NavigableMap<String, Bytes> found = new TreeMap<>();
        for (Result result : cluster.await(table.scanAll(scan))) {
            value(result).ifPresent(value -> found.put(Bytes.of(result.getRow()).utf8(), value));
        }
        return found;
    }
}
