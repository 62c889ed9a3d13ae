package io.polytable.hbase;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A program of HBase's client that is run with the jars of client 3; its words are the settings, name=value. It prints what
 * the calls answered.
 */
final class Client3Main {
    private static final byte[] F = bytes("f");
    private static final byte[] Q = bytes("q");

    private Client3Main() {}

    public static void main(String[] words) throws Exception {
        Configuration configuration = HBaseConfiguration.create();
        for (String word : words) {
            int at = word.indexOf('=');
            configuration.set(word.substring(0, at), word.substring(at + 1));
        }
        TableName name = TableName.valueOf("client3");
        try (Connection connection = ConnectionFactory.createConnection(configuration)) {
            try (Admin admin = connection.getAdmin()) {
                tell("cluster", admin.getClusterMetrics().getLiveServerMetrics().size());
                admin.createTable(
                        TableDescriptorBuilder.newBuilder(name)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                                .build(),
                        new byte[][] {bytes("m")});
                write(connection, name);
                try (Table table = connection.getTable(name)) {
                    changeRow(table);
                    scan(table);
                }
                administer(admin, name);
            }
        }
        System.exit(0);
    }

    private static void tell(String what, Object answer) {
        System.out.println(what + ": " + answer);
    }

    private static void write(Connection connection, TableName name) throws IOException {
        try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
            for (char c = 'a'; c <= 'z'; c++) {
                mutator.mutate(new Put(bytes("" + c)).addColumn(F, Q, bytes("v" + c)));
            }
        }
    }

    private static void changeRow(Table table) throws IOException {
        byte[] row = bytes("n");
        tell("get", text(table.get(new Get(row)).getValue(F, Q)));
        tell(
                "increment",
                Bytes.toLong(table.increment(new Increment(row).addColumn(F, bytes("c"), 4))
                        .getValue(F, bytes("c"))));
        tell(
                "append",
                text(table.append(new Append(row).addColumn(F, Q, bytes("+"))).getValue(F, Q)));
        tell(
                "checked",
                table.checkAndMutate(CheckAndMutate.newBuilder(row)
                                .ifEquals(F, Q, bytes("vn+"))
                                .build(new Put(row).addColumn(F, Q, bytes("new"))))
                        .isSuccess());
        tell(
                "unchecked",
                table.checkAndMutate(CheckAndMutate.newBuilder(row)
                                .ifEquals(F, Q, bytes("vn+"))
                                .build(new Delete(row)))
                        .isSuccess());
        table.mutateRow(RowMutations.of(
                List.of(new Put(row).addColumn(F, bytes("x"), bytes("1")), new Delete(row).addColumns(F, bytes("c")))));
        tell("cells", table.get(new Get(row)).size());
        tell(
                "multi-get",
                table.get(List.of(new Get(bytes("a")), new Get(bytes("z")), new Get(bytes("none"))))[1].size());
    }

    private static void scan(Table table) throws IOException {
        tell("scan", rows(table, new Scan().setCaching(5)));
        tell("reversed", rows(table, new Scan().setReversed(true).setLimit(3)));
        tell("filtered", rows(table, new Scan().setFilter(new PrefixFilter(bytes("q")))));
    }

    private static String rows(Table table, Scan scan) throws IOException {
        List<String> rows = new ArrayList<>();
        try (ResultScanner scanner = table.getScanner(scan)) {
            for (Result result : scanner) {
                rows.add(text(result.getRow()));
            }
        }
        return String.join("", rows);
    }

    private static void administer(Admin admin, TableName name) throws Exception {
        admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("g"));
        tell("families", admin.getDescriptor(name).getColumnFamilyCount());
        admin.split(name, bytes("t"));
        tell("regions", admin.getRegions(name).size());
        admin.flush(name);
        admin.snapshot("of-client3", name);
        tell("snapshots", admin.listSnapshots().size());
        admin.deleteSnapshot("of-client3");
        admin.disableTable(name);
        tell("disabled", admin.isTableDisabled(name));
        admin.deleteTable(name);
        tell("exists", admin.tableExists(name));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
