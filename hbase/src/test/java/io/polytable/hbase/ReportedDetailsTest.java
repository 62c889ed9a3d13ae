package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What HBase reports besides data: metrics, procedures, times, logs and the tables of its own namespace. */
class ReportedDetailsTest {
    private static final byte[] F = Bytes.toBytes("f");

    private static Connection connection;
    private static Admin admin;

    @BeforeAll
    static void start() throws IOException {
        connection = ServedCluster.shared().connect();
        admin = connection.getAdmin();
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        connection.close();
    }

    private static Table created(String name) throws IOException {
        TableName table = TableName.valueOf(name);
        admin.createTable(TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
        return connection.getTable(table);
    }

    @Test
    void aScanCountsTheRowsThatItLookedAt() throws IOException {
        Table table = created("looked-at");
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            puts.add(new Put(Bytes.toBytes(i)).addColumn(F, F, F));
        }
        table.put(puts);
        Scan scan = new Scan()
                .setScanMetricsEnabled(true)
                .setCaching(4)
                .setFilter(new RowFilter(CompareOperator.LESS, new BinaryComparator(Bytes.toBytes(15))));
        try (ResultScanner scanner = table.getScanner(scan)) {
            int rows = 0;
            while (scanner.next() != null) {
                rows++;
            }
            assertThat(rows).isEqualTo(15);
            Map<String, Long> metrics = scanner.getScanMetrics().getMetricsMap();
            assertThat(metrics).containsEntry("ROWS_SCANNED", 20L).containsEntry("ROWS_FILTERED", 5L);
        }
    }

    /** HBase counts 52 bytes for a cell besides its content. */
    @Test
    void aPartOfARowHasAsManyCellsAsFromHBase() throws IOException {
        Table table = created("parts");
        Put put = new Put(Bytes.toBytes("wide"));
        for (int i = 0; i < 50; i++) {
            put.addColumn(F, Bytes.toBytes(i), new byte[1]);
        }
        table.put(put);
        int cellBytes = "wide".length() + F.length + Integer.BYTES + 1 + 52;
        Scan scan = new Scan().setAllowPartialResults(true).setMaxResultSize(10L * cellBytes);
        try (ResultScanner scanner = table.getScanner(scan)) {
            assertThat(scanner.next().size()).isEqualTo(10);
        }
    }

    @Test
    void theLastMajorCompactionHasATime() throws IOException {
        Table table = created("compacted");
        byte[] region = admin.getRegions(table.getName()).get(0).getRegionName();
        assertThat(admin.getLastMajorCompactionTimestamp(table.getName())).isZero();
        long before = System.currentTimeMillis();
        admin.majorCompact(table.getName());
        Await.until("the compaction is done", () -> admin.getLastMajorCompactionTimestamp(table.getName()) >= before);
        assertThat(admin.getLastMajorCompactionTimestampForRegion(region)).isGreaterThanOrEqualTo(before);
    }

    @Test
    void logsAreEmpty() throws IOException {
        Set<ServerName> servers =
                admin.getClusterMetrics().getLiveServerMetrics().keySet();
        assertThat(admin.getLogEntries(servers, "SLOW_LOG", ServerType.REGION_SERVER, 10, Map.of()))
                .isEmpty();
        assertThat(admin.getLogEntries(servers, "LARGE_LOG", ServerType.REGION_SERVER, 10, Map.of()))
                .isEmpty();
        assertThat(admin.getLogEntries(Set.of(), "BALANCER_DECISION", ServerType.MASTER, 10, Map.of()))
                .isEmpty();
        assertThat(admin.getLogEntries(Set.of(), "BALANCER_REJECTION", ServerType.MASTER, 10, Map.of()))
                .isEmpty();
    }

    @Test
    void proceduresNameTheirTables() throws IOException {
        TableName name = created("proceeded").getName();
        admin.disableTable(name);
        String qualifier = java.util.Base64.getEncoder().encodeToString(name.getQualifier());
        assertThat(admin.getProcedures()).contains(qualifier);
    }

    @Test
    void aRegionInMetaIsAsOldAsItIs() throws IOException {
        long before = System.currentTimeMillis();
        TableName name = created("aged").getName();
        try (Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
            Result region = meta.get(new Get(admin.getRegions(name).get(0).getRegionName()));
            assertThat(region.listCells()).extracting(Cell::getTimestamp).allMatch(time -> time >= before);
            assertThat(meta.get(new Get(name.getName())).rawCells()[0].getTimestamp())
                    .isGreaterThanOrEqualTo(before);
        }
    }

    @Test
    void aStateInMetaIsAsOldAsItsLastChange() throws Exception {
        TableName name = created("switched").getName();
        byte[] region = admin.getRegions(name).get(0).getRegionName();
        long created = stateMillis(name);
        long before = awaitLater(created);
        admin.disableTable(name);
        long disabled = stateMillis(name);
        assertThat(disabled).isGreaterThanOrEqualTo(before);
        assertThat(times(region))
                .as("only the region's state is new")
                .anyMatch(time -> time < before)
                .anyMatch(time -> time >= before);
        long later = awaitLater(disabled);
        admin.enableTable(name);
        long enabled = stateMillis(name);
        assertThat(enabled).isGreaterThanOrEqualTo(later);
        assertThat(times(region)).allMatch(time -> time >= later);
        awaitLater(enabled);
        admin.splitRegionAsync(region, F).get();
        assertThat(stateMillis(name)).as("a split changes no state").isEqualTo(enabled);
    }

    private static long awaitLater(long millis) {
        Await.until("the clock moves on", () -> System.currentTimeMillis() > millis);
        return System.currentTimeMillis();
    }

    private static long stateMillis(TableName name) throws IOException {
        return times(name.getName()).get(0);
    }

    private static List<Long> times(byte[] row) throws IOException {
        try (Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
            return meta.get(new Get(row)).listCells().stream()
                    .map(Cell::getTimestamp)
                    .toList();
        }
    }

    @Test
    void aSnapshotOfTheSameNameIsRefused() throws IOException {
        TableName name = created("snapped").getName();
        admin.snapshot("snapped-once", name);
        assertThatThrownBy(() -> admin.snapshot("snapped-once", name))
                .isInstanceOf(SnapshotExistsException.class)
                .hasMessageContaining("Snapshot 'snapped-once' already stored on the filesystem.");
    }

    @Test
    void namespacesAreRowsOfATable() throws IOException {
        admin.createNamespace(NamespaceDescriptor.create("shown").build());
        TableName name = TableName.NAMESPACE_TABLE_NAME;
        assertThat(admin.tableExists(name)).isTrue();
        assertThat(admin.isTableEnabled(name)).isTrue();
        assertThat(admin.listTableNamesByNamespace("hbase")).contains(name, TableName.META_TABLE_NAME);
        assertThat(admin.listTableNames()).doesNotContain(name);
        List<String> rows = new ArrayList<>();
        try (Table table = connection.getTable(name);
                ResultScanner scanner = table.getScanner(new Scan())) {
            scanner.forEach(result -> rows.add(Bytes.toString(result.getRow())));
            assertThat(table.get(new Get(Bytes.toBytes("shown")))
                            .containsColumn(Bytes.toBytes("info"), Bytes.toBytes("d")))
                    .isTrue();
            assertThatThrownBy(() -> table.put(new Put(F).addColumn(Bytes.toBytes("info"), F, F)))
                    .hasStackTraceContaining("cannot be written by clients");
        }
        assertThat(rows).contains("default", "hbase", "shown").isSorted();
        admin.deleteNamespace("shown");
        assertThatThrownBy(() -> admin.disableTable(name)).hasStackTraceContaining("cannot be changed");
    }
}
