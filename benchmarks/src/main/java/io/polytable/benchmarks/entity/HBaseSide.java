package io.polytable.benchmarks.entity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** HBase's client, with a table of the same shape: a program without the library. */
final class HBaseSide implements Side {
    private static final byte[] GROUP = Bytes.toBytes("g");
    private static final byte[] VALUE = Bytes.toBytes("f:v");
    private static final byte[] COUNT = Bytes.toBytes("f:n");

    private final AsyncConnection connection;
    private final AsyncTable<ScanResultConsumer> table;

    /** @param name of the table, which must not be there yet */
    HBaseSide(int zookeeperPort, String name) {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, "localhost");
        configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zookeeperPort);
        connection = ConnectionFactory.createAsyncConnection(configuration).join();
        TableName raw = TableName.valueOf(name);
        connection
                .getAdmin()
                .createTable(TableDescriptorBuilder.newBuilder(raw)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(GROUP))
                        .build())
                .join();
        table = connection.getTable(raw, ForkJoinPool.commonPool());
    }

    private static byte[] key(int row) {
        return Side.key(row).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void put(int row, byte[] value) {
        table.put(new Put(key(row)).addColumn(GROUP, VALUE, value)).join();
    }

    private static Get get(byte[] key) {
        return new Get(key).addColumn(GROUP, VALUE);
    }

    private static int length(Result result) {
        byte[] value = result.getValue(GROUP, VALUE);
        return value == null ? 0 : value.length;
    }

    @Override
    public int get(int row) {
        return length(table.get(get(key(row))).join());
    }

    @Override
    public int getAll(List<Integer> rows) {
        List<Get> gets = new ArrayList<>();
        rows.forEach(row -> gets.add(get(key(row))));
        return table.getAll(gets).join().stream().mapToInt(HBaseSide::length).sum();
    }

    @Override
    public int scan(int from, int rows) {
        Scan scan = new Scan()
                .withStartRow(key(from))
                .addColumn(GROUP, VALUE)
                .setLimit(rows)
                .setCaching(rows);
        CompletableFuture<List<Result>> found = table.scanAll(scan);
        return (int) found.join().stream().filter(row -> length(row) > 0).count();
    }

    @Override
    public long increment(int row) {
        Result result = table.increment(new Increment(key(row)).addColumn(GROUP, COUNT, 1))
                .join();
        return Bytes.toLong(result.getValue(GROUP, COUNT));
    }

    @Override
    public boolean check(int row, byte[] expected, byte[] value) {
        return table.checkAndMutate(CheckAndMutate.newBuilder(key(row))
                        .ifEquals(GROUP, VALUE, expected)
                        .build(new Put(key(row)).addColumn(GROUP, VALUE, value)))
                .join()
                .isSuccess();
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
