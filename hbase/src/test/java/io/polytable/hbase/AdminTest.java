package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase's Admin, unmodified: tables, families, regions, snapshots, namespaces, metrics. */
class AdminTest {
    private static final byte[] F = bytes("f");
    private static final byte[] Q = bytes("q");

    @TempDir
    static Path directory;

    private static ServedCluster served;
    private static Connection connection;
    private static Admin admin;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.on(directory);
        connection = served.connect();
        admin = connection.getAdmin();
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        connection.close();
        served.close();
    }

    private static TableName created(String name, String... splits) throws IOException {
        TableName table = TableName.valueOf(name);
        byte[][] keys = new byte[splits.length][];
        for (int i = 0; i < splits.length; i++) {
            keys[i] = bytes(splits[i]);
        }
        admin.createTable(
                TableDescriptorBuilder.newBuilder(table)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F)
                                .setMaxVersions(3)
                                .setTimeToLive(86_400)
                                .setConfiguration("a.key", "a value")
                                .build())
                        .setValue("OWNER_TEAM", "us")
                        .build(),
                splits.length == 0 ? null : keys);
        return table;
    }

    private static void put(TableName name, String row, String value) throws IOException {
        try (Table table = connection.getTable(name)) {
            table.put(new Put(bytes(row)).addColumn(F, Q, bytes(value)));
        }
    }

    private static String get(TableName name, String row) throws IOException {
        try (Table table = connection.getTable(name)) {
            byte[] value = table.get(new Get(bytes(row))).getValue(F, Q);
            return value == null ? "" : new String(value, StandardCharsets.UTF_8);
        }
    }

    @Test
    void tablesAreListedAndDescribedAsTheyWereCreated() throws IOException {
        TableName name = created("described");

        TableDescriptor descriptor = admin.getDescriptor(name);

        assertThat(admin.tableExists(name)).isTrue();
        assertThat(admin.isTableEnabled(name)).isTrue();
        assertThat(admin.isTableAvailable(name)).isTrue();
        assertThat(admin.listTableNames()).contains(name);
        assertThat(admin.listTableNames(java.util.regex.Pattern.compile("desc.*")))
                .containsExactly(name);
        assertThat(descriptor.getValue("OWNER_TEAM")).isEqualTo("us");
        assertThat(descriptor.getColumnFamily(F).getMaxVersions()).isEqualTo(3);
        assertThat(descriptor.getColumnFamily(F).getTimeToLive()).isEqualTo(86_400);
        assertThat(descriptor.getColumnFamily(F).getConfigurationValue("a.key")).isEqualTo("a value");
        assertThatThrownBy(() -> created("described")).isInstanceOf(TableExistsException.class);
        assertThatThrownBy(() -> admin.getDescriptor(TableName.valueOf("nowhere")))
                .isInstanceOf(TableNotFoundException.class);
    }

    @Test
    void familiesComeAndGo() throws IOException {
        TableName name = created("families");
        byte[] g = bytes("g");
        admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of(g));
        assertThatThrownBy(() -> admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of(g)))
                .isInstanceOf(InvalidFamilyOperationException.class);
        admin.modifyColumnFamily(
                name,
                ColumnFamilyDescriptorBuilder.newBuilder(g).setMaxVersions(9).build());
        assertThat(admin.getDescriptor(name).getColumnFamily(g).getMaxVersions())
                .isEqualTo(9);
        admin.deleteColumnFamily(name, g);
        assertThat(admin.getDescriptor(name).hasColumnFamily(g)).isFalse();
        admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
                .setValue("OWNER_TEAM", "them")
                .build());
        assertThat(admin.getDescriptor(name).getValue("OWNER_TEAM")).isEqualTo("them");
    }

    @Test
    void aTableIsDisabledBeforeItGoes() throws IOException {
        TableName name = created("goes", "m");
        put(name, "a", "1");
        assertThatThrownBy(() -> admin.deleteTable(name)).isInstanceOf(TableNotDisabledException.class);
        admin.disableTable(name);
        assertThat(admin.isTableDisabled(name)).isTrue();
        assertThatThrownBy(() -> get(name, "a")).isInstanceOf(IOException.class);
        admin.enableTable(name);
        assertThat(get(name, "a")).isEqualTo("1");
        admin.disableTable(name);
        admin.truncateTable(name, true);
        assertThat(get(name, "a")).isEmpty();
        assertThat(admin.getRegions(name)).hasSize(2);
        admin.disableTable(name);
        admin.deleteTable(name);
        assertThat(admin.tableExists(name)).isFalse();
    }

    @Test
    void regionsAreSplitAndMerged() throws Exception {
        TableName name = created("regions", "h", "p");
        for (char c = 'a'; c <= 'z'; c++) {
            put(name, "" + c, "v" + c);
        }
        assertThat(starts(name)).containsExactly("", "h", "p");
        admin.split(name, bytes("c"));
        assertThat(starts(name)).containsExactly("", "c", "h", "p");
        admin.splitRegionAsync(admin.getRegions(name).get(3).getRegionName()).get();
        assertThat(starts(name)).containsExactly("", "c", "h", "p", "u");
        List<RegionInfo> regions = admin.getRegions(name);
        admin.mergeRegionsAsync(
                        new byte[][] {
                            regions.get(1).getEncodedNameAsBytes(),
                            regions.get(2).getEncodedNameAsBytes()
                        },
                        false)
                .get();
        assertThat(starts(name)).containsExactly("", "c", "p", "u");
        for (char c = 'a'; c <= 'z'; c++) {
            assertThat(get(name, "" + c)).isEqualTo("v" + c);
        }
    }

    private static List<String> starts(TableName name) throws IOException {
        return admin.getRegions(name).stream()
                .map(region -> new String(region.getStartKey(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void snapshotsAreTakenRestoredAndCloned() throws IOException {
        TableName name = created("saved");
        put(name, "a", "before");
        admin.snapshot("first", name);
        put(name, "a", "after");
        assertThat(admin.listSnapshots())
                .extracting(SnapshotDescription::getName)
                .contains("first");
        TableName copy = TableName.valueOf("copied");
        admin.cloneSnapshot("first", copy);
        assertThat(get(copy, "a")).isEqualTo("before");
        admin.disableTable(name);
        admin.restoreSnapshot("first");
        admin.enableTable(name);
        assertThat(get(name, "a")).isEqualTo("before");
        admin.deleteSnapshot("first");
        assertThatThrownBy(() -> admin.deleteSnapshot("first")).isInstanceOf(SnapshotDoesNotExistException.class);
    }

    @Test
    void namespacesHoldTables() throws IOException {
        NamespaceDescriptor namespace =
                NamespaceDescriptor.create("team").addConfiguration("k", "v").build();
        admin.createNamespace(namespace);
        TableName name = created("team:things");
        put(name, "a", "1");
        assertThat(get(name, "a")).isEqualTo("1");
        assertThat(admin.listTableNamesByNamespace("team")).containsExactly(name);
        assertThat(admin.getNamespaceDescriptor("team").getConfigurationValue("k"))
                .isEqualTo("v");
        assertThat(admin.listNamespaces()).contains("default", "hbase", "team");
        assertThatThrownBy(() -> admin.deleteNamespace("team")).hasMessageContaining("Only empty namespaces");
        admin.disableTable(name);
        admin.deleteTable(name);
        admin.deleteNamespace("team");
        assertThatThrownBy(() -> created("team:again")).isInstanceOf(NamespaceNotFoundException.class);
    }

    @Test
    void theClusterTellsOfItself() throws IOException {
        TableName name = created("counted");
        put(name, "a", "1");
        ClusterMetrics metrics = admin.getClusterMetrics(EnumSet.allOf(ClusterMetrics.Option.class));
        assertThat(metrics.getLiveServerMetrics()).hasSize(1);
        ServerName server = metrics.getServersName().get(0);
        assertThat(metrics.getMasterName().getPort()).isEqualTo(served.face().masterPort());
        assertThat(admin.getRegions(server)).extracting(RegionInfo::getTable).contains(name);
        assertThat(admin.getRegionMetrics(server, name))
                .extracting(RegionMetrics::getWriteRequestCount)
                .containsExactly(1L);
        try (Table table = connection.getTable(name)) {
            table.put(List.of(
                    new Put(bytes("b")).addColumn(F, F, F),
                    new Put(bytes("c")).addColumn(F, F, F),
                    new Put(bytes("d")).addColumn(F, F, F)));
            table.get(List.of(new Get(bytes("a")), new Get(bytes("b"))));
        }
        assertThat(admin.getRegionMetrics(server, name)).singleElement().satisfies(region -> {
            assertThat(region.getWriteRequestCount())
                    .as("each of a batch's changes")
                    .isEqualTo(4);
            assertThat(region.getReadRequestCount()).isEqualTo(2);
        });
        assertThat(admin.balancerSwitch(false, true)).isTrue();
        assertThat(admin.isBalancerEnabled()).isFalse();
        assertThat(admin.balance()).isFalse();
        assertThat(admin.normalizerSwitch(true)).isFalse();
        admin.flush(name);
        admin.compact(name);
        admin.majorCompact(name);
        assertThat(admin.getProcedures()).contains("CreateTableProcedure");
        assertThat(admin.listReplicationPeers()).isEmpty();
    }

    @Test
    void aFailedProcedureIsListedAsRolledBack() throws Exception {
        TableDescriptor twice = TableDescriptorBuilder.newBuilder(TableName.valueOf("twice"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build();
        admin.createTable(twice);
        assertThatThrownBy(() -> admin.createTable(twice)).isInstanceOf(TableExistsException.class);
        assertThat(admin.getProcedures()).contains("ROLLEDBACK");
    }

    @Test
    void theSizeOfARegionIsEstimatedBeforeItIsMeasured() throws Exception {
        TableName name = created("sized");
        try (Table table = connection.getTable(name)) {
            for (int i = 0; i < 10; i++) {
                table.put(new Put(bytes("row" + i)).addColumn(F, Q, new byte[1 << 20]));
            }
        }
        admin.flush(name);
        assertThat(sizesInMegabytes(name)).containsExactly(10);
        admin.split(name, bytes("row5"));
        assertThat(sizesInMegabytes(name)).containsExactlyInAnyOrder(5, 5);
        byte[][] halves = admin.getRegions(name).stream()
                .map(RegionInfo::getEncodedNameAsBytes)
                .toArray(byte[][]::new);
        admin.mergeRegionsAsync(halves, true).get();
        assertThat(sizesInMegabytes(name)).containsExactly(10);
        admin.disableTable(name);
        admin.truncateTable(name, false);
        assertThat(sizesInMegabytes(name)).containsExactly(0);
    }

    private static List<Integer> sizesInMegabytes(TableName table) throws IOException {
        return admin.getClusterMetrics().getLiveServerMetrics().values().stream()
                .flatMap(server -> server.getRegionMetrics().values().stream())
                .filter(region -> RegionInfo.getTable(region.getRegionName()).equals(table))
                .map(region -> (int) region.getStoreFileSize().get(Size.Unit.MEGABYTE))
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
