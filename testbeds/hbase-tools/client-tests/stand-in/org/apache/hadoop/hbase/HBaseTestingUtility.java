package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.HBaseAdmin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Stands in for the class of this name in HBase's test jars, which starts a cluster in the process: this one connects to
 * the server that {@code hbase-site.xml} names. It has those methods that tests use which only call the client; a test
 * that asks for more fails with a {@code NoSuchMethodError} or an {@code UnsupportedOperationException}.
 */
public class HBaseTestingUtility extends HBaseCommonTestingUtility {
    private static final int LOADED_ROWS = 2_000;

    private Connection connection;

    /** The cluster runs already, whatever its size. */
    public MiniHBaseCluster startMiniCluster(int servers) {
        return null;
    }

    public MiniHBaseCluster startMiniCluster() {
        return null;
    }

    public void shutdownMiniCluster() throws IOException {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    public synchronized Connection getConnection() throws IOException {
        if (connection == null) {
            connection = ConnectionFactory.createConnection(getConfiguration());
        }
        return connection;
    }

    public Admin getAdmin() throws IOException {
        return getConnection().getAdmin();
    }

    public HBaseAdmin getHBaseAdmin() throws IOException {
        return (HBaseAdmin) getAdmin();
    }

    public MiniHBaseCluster getMiniHBaseCluster() {
        throw new UnsupportedOperationException("The server is in another process");
    }

    public MiniHBaseCluster getHBaseCluster() {
        return getMiniHBaseCluster();
    }

    public Table createTable(TableName name, byte[] family) throws IOException {
        return createTable(name, new byte[][] {family});
    }

    public Table createTable(TableName name, byte[][] families) throws IOException {
        return createTable(name, families, null, 1);
    }

    public Table createTable(TableName name, byte[] family, byte[][] splits) throws IOException {
        return createTable(name, new byte[][] {family}, splits, 1);
    }

    public Table createTable(TableName name, byte[][] families, byte[][] splits) throws IOException {
        return createTable(name, families, splits, 1);
    }

    public Table createTable(TableName name, byte[][] families, int versions, int blockBytes) throws IOException {
        List<ColumnFamilyDescriptor> described = new ArrayList<>();
        for (byte[] family : families) {
            described.add(ColumnFamilyDescriptorBuilder.newBuilder(family)
                    .setMaxVersions(versions)
                    .setBlocksize(blockBytes)
                    .build());
        }
        return created(TableDescriptorBuilder.newBuilder(name).setColumnFamilies(described), null);
    }

    public Table createTable(TableName name, byte[][] families, byte[][] splits, int versions) throws IOException {
        TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
        for (byte[] family : families) {
            table.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(family)
                    .setMaxVersions(versions)
                    .build());
        }
        return created(table, splits);
    }

    public Table createTable(TableDescriptor descriptor, byte[][] splits) throws IOException {
        return created(TableDescriptorBuilder.newBuilder(descriptor), splits);
    }

    private Table created(TableDescriptorBuilder table, byte[][] splits) throws IOException {
        // As in the configuration of HBase's tests.
        TableDescriptor described =
                table.setValue("hbase.table.sanity.checks", "false").build();
        getAdmin().createTable(described, splits);
        return getConnection().getTable(described.getTableName());
    }

    public Table createMultiRegionTable(TableName name, byte[] family) throws IOException {
        return createMultiRegionTable(name, family, 26);
    }

    public Table createMultiRegionTable(TableName name, byte[] family, int regions) throws IOException {
        byte[][] splits = Bytes.split(Bytes.toBytes("aaa"), Bytes.toBytes("zzz"), regions - 3);
        return createTable(name, family, splits);
    }

    public void deleteTable(TableName name) throws IOException {
        if (getAdmin().isTableEnabled(name)) {
            getAdmin().disableTable(name);
        }
        getAdmin().deleteTable(name);
    }

    public void waitTableAvailable(TableName name) throws IOException {
        waitFor(60_000, () -> getAdmin().isTableAvailable(name));
    }

    public void waitUntilAllRegionsAssigned(TableName name) throws IOException {
        waitTableAvailable(name);
    }

    public void compact(TableName name, boolean major) throws IOException {
        if (major) {
            getAdmin().majorCompact(name);
        } else {
            getAdmin().compact(name);
        }
    }

    public int countRows(TableName name) throws IOException {
        try (Table table = getConnection().getTable(name)) {
            return countRows(table);
        }
    }

    public int countRows(Table table) throws IOException {
        try (ResultScanner rows = table.getScanner(new Scan())) {
            return (int) StreamSupport.stream(rows.spliterator(), false).count();
        }
    }

    /** Rows with three letters from the whole range. */
    public int loadTable(Table table, byte[] family, boolean writeAheadLog) throws IOException {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < LOADED_ROWS; i++) {
            int number = (int) ((long) i * 26 * 26 * 26 / LOADED_ROWS);
            byte[] row = {(byte) ('a' + number / 676), (byte) ('a' + number / 26 % 26), (byte) ('a' + number % 26)};
            Put put = new Put(row).addColumn(family, null, row);
            puts.add(writeAheadLog ? put : put.setDurability(Durability.SKIP_WAL));
        }
        table.put(puts);
        return LOADED_ROWS;
    }

    public void loadNumericRows(Table table, byte[] family, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            byte[] number = Bytes.toBytes(String.valueOf(i));
            table.put(new Put(number).addColumn(family, null, number));
        }
    }

    public void verifyTableDescriptorIgnoreTableName(TableDescriptor one, TableDescriptor other) {
        TableDescriptor renamed = TableDescriptorBuilder.copy(one.getTableName(), other);
        if (TableDescriptor.COMPARATOR.compare(one, renamed) != 0) {
            throw new AssertionError(one + " differs from " + other);
        }
    }
}
