package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions as clients see them: calls to the wrong region, and splits of regions that grow. */
class RegionsTest {
    private static final byte[] F = bytes("f");
    private static final byte[] Q = bytes("q");
    private static final long REGION_BYTES_MAX = 1 << 20;
    private static final int VALUE_BYTES = 1_000;

    @TempDir
    static Path directory;

    private static ServedCluster served;
    private static Connection connection;
    private static Admin admin;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.on(directory, options -> options.withRegionBytesMax(REGION_BYTES_MAX));
        connection = served.connect();
        admin = connection.getAdmin();
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        connection.close();
        served.close();
    }

    private static TableName created(TableDescriptorBuilder table, byte[]... splits) throws IOException {
        TableName name = table.build().getTableName();
        table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
        admin.createTable(table.build(), splits.length == 0 ? null : splits);
        return name;
    }

    private static TableDescriptorBuilder named(String name) {
        return TableDescriptorBuilder.newBuilder(TableName.valueOf(name));
    }

    private static void fill(TableName name, int from, int to) throws IOException {
        try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
            for (int i = from; i < to; i++) {
                mutator.mutate(new Put(row(i)).addColumn(F, Q, new byte[VALUE_BYTES]));
            }
        }
    }

    private static byte[] row(int number) {
        return bytes(String.format(Locale.ROOT, "%06d", number));
    }

    private static int rowCount(TableName name) throws IOException {
        int count = 0;
        try (Table table = connection.getTable(name);
                ResultScanner scanner = table.getScanner(new Scan())) {
            while (scanner.next() != null) {
                count++;
            }
        }
        return count;
    }

    private static List<RegionInfo> awaitRegions(TableName name, int atLeast) throws IOException {
        Await.until(
                name + " has " + atLeast + " regions",
                () -> admin.getRegions(name).size() >= atLeast);
        return admin.getRegions(name);
    }

    @Test
    void aRegionThatGrowsTooLargeIsSplit() throws Exception {
        TableName name = created(named("grows"));
        fill(name, 0, 1_400);
        awaitRegions(name, 2);
        fill(name, 1_400, 3_000);
        awaitRegions(name, 3);
        assertThat(rowCount(name)).isEqualTo(3_000);
    }

    @Test
    void aLimitThatIsNoNumberIsRefused() throws Exception {
        TableName name = created(named("numbers"));
        assertThatThrownBy(() -> created(named("words").setValue("MAX_FILESIZE", "abc")))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("MAX_FILESIZE is not a number. For input string: \"abc\"");
        TableDescriptor changed = TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
                .setValue("MEMSTORE_FLUSHSIZE", "abc")
                .build();
        assertThatThrownBy(() -> admin.modifyTable(changed)).isInstanceOf(DoNotRetryIOException.class);
    }

    @Test
    void rowsOfOtherRegionsAreRefused() throws Exception {
        TableName name = created(named("ranges"), bytes("m"));
        HRegionLocation first = location(name, "a");
        HRegionLocation second = location(name, "z");

        assertThat(get(first, "a")).isFalse();
        assertThatThrownBy(() -> get(first, "z")).hasStackTraceContaining("WrongRegionException");
        assertThatThrownBy(() -> get(second, "a")).hasStackTraceContaining("WrongRegionException");
        assertThatThrownBy(() -> put(first, "z")).hasStackTraceContaining("WrongRegionException");
        assertThatThrownBy(() -> put(second, "lzz")).hasStackTraceContaining("WrongRegionException");
        put(second, "m");
    }

    @Test
    void aRegionThatWasSplitOrMergedIsNotServedAnyMore() throws Exception {
        TableName name = created(named("outdated"));
        HRegionLocation whole = location(name, "a");
        put(whole, "a");
        admin.split(name, bytes("m"));
        assertThatThrownBy(() -> get(whole, "a")).hasStackTraceContaining("NotServingRegionException");
        assertThatThrownBy(() -> put(whole, "a")).hasStackTraceContaining("NotServingRegionException");

        HRegionLocation half = location(name, "z");
        List<RegionInfo> halves = admin.getRegions(name);
        admin.mergeRegionsAsync(
                        new byte[][] {
                            halves.get(0).getEncodedNameAsBytes(), halves.get(1).getEncodedNameAsBytes()
                        },
                        false)
                .get();
        assertThatThrownBy(() -> get(half, "z")).hasStackTraceContaining("NotServingRegionException");
        try (Table table = connection.getTable(name)) {
            assertThat(table.exists(new Get(bytes("a"))))
                    .as("the client looks again")
                    .isTrue();
        }
    }

    @Test
    void aScanGoesOnWhenItsRegionIsSplit() throws Exception {
        TableName name = created(named("scanned"));
        fill(name, 0, 300);
        int count = 0;
        try (Table table = connection.getTable(name);
                ResultScanner scanner = table.getScanner(new Scan().setCaching(10))) {
            while (scanner.next() != null) {
                if (++count == 50) {
                    admin.split(name, row(100));
                    admin.split(name, row(200));
                }
            }
        }
        assertThat(count).isEqualTo(300);
        assertThat(admin.getRegions(name)).hasSize(3);
    }

    @Test
    void aRegionIsTruncatedAlone() throws Exception {
        TableName name = created(named("truncated"), row(100));
        fill(name, 0, 200);
        List<RegionInfo> regions = admin.getRegions(name);
        try (Table table = connection.getTable(name)) {
            Increment increment = new Increment(row(50)).addColumn(F, bytes("n"), 1);
            table.increment(increment);
            table.increment(increment);
            table.delete(new Delete(row(60), Long.MAX_VALUE - 1));
            admin.truncateRegion(regions.get(0).getRegionName());
            assertThat(rowCount(name)).isEqualTo(100);
            assertThat(admin.getRegions(name)).isEqualTo(regions);
            assertThat(org.apache.hadoop.hbase.util.Bytes.toLong(
                            table.increment(increment).getValue(F, bytes("n"))))
                    .as("a counter starts again")
                    .isOne();
            table.put(new Put(row(60), 1).addColumn(F, Q, Q));
            assertThat(table.exists(new Get(row(60))))
                    .as("markers are gone too")
                    .isTrue();
        }
    }

    private static HRegionLocation location(TableName name, String row) throws IOException {
        try (RegionLocator locator = connection.getRegionLocator(name)) {
            return locator.getRegionLocation(bytes(row), true);
        }
    }

    private static ClientProtos.ClientService.BlockingInterface stub(HRegionLocation location) throws IOException {
        return ((ClusterConnection) connection).getClient(location.getServerName());
    }

    private static boolean get(HRegionLocation location, String row) throws Exception {
        Get get = new Get(bytes(row)).setCheckExistenceOnly(true);
        byte[] region = location.getRegion().getRegionName();
        return stub(location)
                .get(null, RequestConverter.buildGetRequest(region, get))
                .getResult()
                .getExists();
    }

    private static void put(HRegionLocation location, String row) throws Exception {
        Put put = new Put(bytes(row)).addColumn(F, Q, bytes("v"));
        byte[] region = location.getRegion().getRegionName();
        assertThat(stub(location)
                        .mutate(null, RequestConverter.buildMutateRequest(region, put))
                        .getProcessed())
                .isTrue();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
