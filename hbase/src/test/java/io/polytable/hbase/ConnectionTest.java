package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways in which HBase's client connects: its registries, its codecs, its users, its other interfaces. */
class ConnectionTest {
    private static final byte[] F = bytes("f");
    private static final byte[] Q = bytes("q");
    private static final TableName NAME = TableName.valueOf("reached");

    @TempDir
    static Path directory;

    private static ServedCluster served;

    @BeforeAll
    static void start() throws IOException {
        Set<String> users = Set.of("ann", User.getCurrent().getShortName());
        served = ServedCluster.on(directory, options -> options.withUsers(users));
        try (Connection connection = served.connect();
                Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .build());
        }
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    static Stream<Map<String, String>> ways() {
        String impl = "hbase.client.registry.impl";
        String clients = "org.apache.hadoop.hbase.client.";
        return Stream.of(
                Map.of(impl, clients + "ZKConnectionRegistry"),
                Map.of(
                        impl,
                        clients + "MasterRegistry",
                        "hbase.masters",
                        "localhost:" + served.face().masterPort()),
                Map.of(
                        impl,
                        clients + "RpcConnectionRegistry",
                        "hbase.client.bootstrap.servers",
                        "localhost:" + served.face().regionServerPort()),
                Map.of("hbase.client.default.rpc.codec", ""),
                Map.of("hbase.client.rpc.codec", "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags"),
                Map.of("hbase.client.rpc.compressor", "org.apache.hadoop.io.compress.GzipCodec"),
                Map.of("hbase.client.rpc.compressor", "org.apache.hadoop.io.compress.DefaultCodec"),
                Map.of("hbase.rpc.client.impl", "org.apache.hadoop.hbase.ipc.BlockingRpcClient"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void everyWayLeadsToTheSameTable(Map<String, String> way) throws IOException {
        Configuration configuration = served.configuration();
        way.forEach(configuration::set);
        try (Connection connection = ConnectionFactory.createConnection(configuration);
                Table table = connection.getTable(NAME)) {
            String row = "row-" + way.hashCode();
            table.put(new Put(bytes(row)).addColumn(F, Q, bytes("v")));
            assertThat(table.get(new Get(bytes(row))).getValue(F, Q)).isEqualTo(bytes("v"));
            try (ResultScanner scanner =
                    table.getScanner(new Scan().withStartRow(bytes(row)).setLimit(1))) {
                assertThat(scanner.next().getRow()).isEqualTo(bytes(row));
            }
        }
    }

    @Test
    void theAsynchronousClient() throws Exception {
        try (AsyncConnection connection =
                ConnectionFactory.createAsyncConnection(served.configuration()).get()) {
            AsyncTable<ScanResultConsumer> table =
                    connection.getTable(NAME, java.util.concurrent.ForkJoinPool.commonPool());
            table.put(new Put(bytes("async")).addColumn(F, Q, bytes("1"))).get();
            assertThat(table.get(new Get(bytes("async"))).get().getValue(F, Q)).isEqualTo(bytes("1"));
            assertThat(table.scanAll(new Scan().withStartRow(bytes("async")).withStopRow(bytes("async"), true))
                            .get())
                    .hasSize(1);
            assertThat(connection.getAdmin().listTableNames().get()).contains(NAME);
        }
    }

    @Test
    void theBufferedMutator() throws IOException {
        int count = 2_000;
        try (Connection connection = served.connect()) {
            try (BufferedMutator mutator = connection.getBufferedMutator(NAME)) {
                for (int i = 0; i < count; i++) {
                    mutator.mutate(new Put(bytes("buffered-" + i)).addColumn(F, Q, new byte[100]));
                }
            }
            int found = 0;
            try (Table table = connection.getTable(NAME);
                    ResultScanner scanner =
                            table.getScanner(new Scan().setStartStopRowForPrefixScan(bytes("buffered-")))) {
                while (scanner.next() != null) {
                    found++;
                }
            }
            assertThat(found).isEqualTo(count);
        }
    }

    @Test
    void aUserWhoIsNotListedIsRefused() throws IOException {
        User ann = User.createUserForTesting(served.configuration(), "ann", new String[0]);
        User bob = User.createUserForTesting(served.configuration(), "bob", new String[0]);
        try (Connection connection = ConnectionFactory.createConnection(served.configuration(), ann);
                Table table = connection.getTable(NAME)) {
            assertThat(table.exists(new Get(bytes("nobody")))).isFalse();
        }
        try (Connection connection = ConnectionFactory.createConnection(served.configuration(), bob);
                Table table = connection.getTable(NAME)) {
            assertThatThrownBy(() -> table.exists(new Get(bytes("nobody"))))
                    .hasStackTraceContaining(AccessDeniedException.class.getName())
                    .hasStackTraceContaining("User 'bob'");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
