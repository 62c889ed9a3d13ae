package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.store.CellStoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
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
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What histories beside a real HBase brought to light; each answer here is what that one gave. */
class HBaseRulesTest {
    private static final TableName NAME = TableName.valueOf("rules");
    private static final byte[] MANY = Bytes.toBytes("many");
    private static final byte[] ONE = Bytes.toBytes("one");
    private static final byte[] MORTAL = Bytes.toBytes("mortal");
    private static final byte[] Q = Bytes.toBytes("q");
    private static final byte[] R = Bytes.toBytes("r");
    private static final byte[] UNNAMED = {};

    private static ServedCluster served;
    private static Connection connection;
    private static Table table;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        served = ServedCluster.on(directory, CellStoreOptions.DEFAULT.withoutBackground());
        connection = served.connect();
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(MANY)
                            .setMaxVersions(5)
                            .build())
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(ONE))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(MORTAL)
                            .setTimeToLive(60)
                            .build())
                    .build());
        }
        table = connection.getTable(NAME);
    }

    @AfterAll
    static void stop() throws IOException {
        table.close();
        connection.close();
        served.close();
    }

    private static byte[] value(long number) {
        return Bytes.toBytes(number);
    }

    private static List<Long> times(Result result) {
        List<Long> times = new ArrayList<>();
        for (Cell cell : result.rawCells()) {
            times.add(cell.getTimestamp());
        }
        return times;
    }

    private static Result versions(byte[] row) throws IOException {
        return table.get(new Get(row).readAllVersions());
    }

    @Test
    void answersAnEmptyResultWhereNoneIsWanted() throws IOException {
        byte[] row = Bytes.toBytes("silent");
        Result appended = table.append(new Append(row).addColumn(MANY, Q, R).setReturnResults(false));
        assertThat(appended.isEmpty()).isTrue();
        Result counted =
                table.increment(new Increment(row).addColumn(MANY, R, 1).setReturnResults(false));
        assertThat(counted.isEmpty()).isTrue();
    }

    @Test
    void answersOfRowMutationsOnlyThoseThatWantIt() throws IOException {
        byte[] row = Bytes.toBytes("some");
        Result result = table.mutateRow(RowMutations.of(List.of(
                new Increment(row).addColumn(MANY, R, 3),
                new Increment(row).addColumn(MANY, Q, 4).addColumn(MANY, R, 1).setReturnResults(false),
                new Append(row).addColumn(MANY, Bytes.toBytes("a"), R))));
        assertThat(result.rawCells())
                .extracting(cell -> Bytes.toString(CellUtil.cloneQualifier(cell)))
                .containsExactly("r", "a");
        assertThat(result.getValue(MANY, R)).isEqualTo(value(3));
    }

    @Test
    void deletesTheNewestVersionBesideOthersThatAreNamed() throws IOException {
        byte[] row = Bytes.toBytes("newest");
        table.put(
                new Put(row).addColumn(MANY, Q, 10, R).addColumn(MANY, Q, 20, R).addColumn(MANY, Q, 30, R));
        table.delete(new Delete(row).addColumn(MANY, Q, 10).addColumn(MANY, Q));
        assertThat(times(versions(row))).containsExactly(20L);
    }

    @Test
    void deletesTheSameNewestVersionOnceForAllMutations() throws IOException {
        byte[] row = Bytes.toBytes("together");
        table.put(
                new Put(row).addColumn(MANY, Q, 10, R).addColumn(MANY, Q, 20, R).addColumn(MANY, Q, 30, R));
        table.mutateRow(
                RowMutations.of(List.of(new Delete(row).addColumn(MANY, Q), new Delete(row).addColumn(MANY, Q))));
        assertThat(times(versions(row))).containsExactly(20L, 10L);
        table.delete(new Delete(row).addColumn(MANY, Q).addColumn(MANY, Q));
        assertThat(versions(row).isEmpty()).isTrue();
    }

    @Test
    void keepsTheValueBeforeTheLastOfACounter() throws IOException {
        byte[] row = Bytes.toBytes("counter");
        for (int i = 0; i < 3; i++) {
            table.increment(new Increment(row).addColumn(ONE, Q, 1));
        }
        assertThat(raw(row).size()).isEqualTo(2);
        table.delete(new Delete(row).addColumn(ONE, Q));
        assertThat(versions(row).getValue(ONE, Q)).isEqualTo(value(2));
    }

    private static Result raw(byte[] row) throws IOException {
        Scan scan =
                new Scan().withStartRow(row).withStopRow(row, true).setRaw(true).readAllVersions();
        try (ResultScanner scanner = table.getScanner(scan)) {
            return scanner.next();
        }
    }

    @Test
    void showsWhatHasExpiredToRawScans() throws IOException {
        byte[] row = Bytes.toBytes("expired");
        table.put(new Put(row).addColumn(MORTAL, Q, 1000, R));
        assertThat(versions(row).isEmpty()).isTrue();
        assertThat(times(raw(row))).containsExactly(1000L);
    }

    @Test
    void asksAFilterAboutEveryVersionOfTheColumnWithoutAName() throws IOException {
        byte[] row = Bytes.toBytes("unnamed");
        table.put(new Put(row)
                .addColumn(MANY, UNNAMED, 10, R)
                .addColumn(MANY, UNNAMED, 20, R)
                .addColumn(MANY, UNNAMED, 30, R)
                .addColumn(MANY, Q, 40, R));
        Result found = table.get(new Get(row).setFilter(new ColumnPaginationFilter(4, 3)));
        assertThat(times(found)).containsExactly(40L);
    }

    @Test
    void takesNoSnapshotOfATableThatIsNotThere() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            assertThatThrownBy(
                            () -> admin.snapshot(new SnapshotDescription("of-nothing", TableName.valueOf("not-there"))))
                    .isInstanceOf(SnapshotCreationException.class);
        }
    }

    private static List<String> scanned(Scan scan) throws IOException {
        List<String> found = new ArrayList<>();
        try (ResultScanner scanner = table.getScanner(scan)) {
            for (Result result : scanner) {
                found.add(Bytes.toString(result.getRow()) + " " + result.size());
            }
        }
        return found;
    }

    private static void put(String row, byte[]... qualifiers) throws IOException {
        Put put = new Put(Bytes.toBytes(row));
        for (byte[] qualifier : qualifiers) {
            put.addColumn(ONE, qualifier, Bytes.toBytes(row));
        }
        table.put(put);
    }

    @Test
    void aRowThatAFilterRejectsDoesNotCountAsAnswered() throws IOException {
        put("rejected", Q, R);
        put("rejected-not", Q, R);
        Scan scan = new Scan()
                .setStartStopRowForPrefixScan(Bytes.toBytes("rejected"))
                .setMaxResultSize(1)
                .setFilter(new SingleColumnValueFilter(ONE, Q, CompareOperator.EQUAL, Bytes.toBytes("rejected-not")));
        assertThat(scanned(scan)).containsExactly("rejected-not 2");
    }

    @Test
    void aRowInFullBatchesIsCompleteWhenAnotherComes() throws IOException {
        put("batches-1", Q, R);
        put("batches-2", Q, R);
        put("batches-3", Q, R);
        Scan scan = new Scan()
                .setStartStopRowForPrefixScan(Bytes.toBytes("batches"))
                .addColumn(ONE, Q)
                .setBatch(1)
                .setLimit(2);
        assertThat(scanned(scan)).containsExactly("batches-1 1", "batches-2 1");
    }

    /** The blocking client counts rows by portions, and loses the end of the last row where they are others than HBase's. */
    @Test
    void batchesComeInPortionsOfTheCachingThoughOneRowIsStillWanted() throws Exception {
        put("portions-1", UNNAMED, Q, R);
        put("portions-2", UNNAMED, Q, R);
        Scan scan = new Scan()
                .setStartStopRowForPrefixScan(Bytes.toBytes("portions"))
                .setBatch(2)
                .setCaching(2)
                .setLimit(2);
        assertThat(portions(scan)).containsExactly(2, 2);
    }

    private static List<Integer> portions(Scan scan) throws Exception {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> done = new CompletableFuture<>();
        try (AsyncConnection async =
                ConnectionFactory.createAsyncConnection(served.configuration()).get()) {
            async.getTable(NAME).scan(scan, new AdvancedScanResultConsumer() {
                @Override
                public void onNext(Result[] results, ScanController controller) {
                    sizes.add(results.length);
                }

                @Override
                public void onError(Throwable error) {
                    done.completeExceptionally(error);
                }

                @Override
                public void onComplete() {
                    done.complete(null);
                }
            });
            done.get(1, TimeUnit.MINUTES);
        }
        return sizes;
    }

    @Test
    void aFilterThatIsDoneInARowEndsTheFamilyForAllRows() throws IOException {
        put("counted-1", Q, R);
        put("counted-2", Q);
        Scan scan = new Scan()
                .setStartStopRowForPrefixScan(Bytes.toBytes("counted"))
                .setFilter(new ColumnCountGetFilter(1));
        assertThat(scanned(scan)).containsExactly("counted-1 1");
    }

    @Test
    void aFilterDoesNotSeeWhatIsBehindTheLastCellOfAFamily() throws IOException {
        put("paged-1", UNNAMED, Q, R);
        Scan scan = new Scan()
                .setStartStopRowForPrefixScan(Bytes.toBytes("paged"))
                .setMaxResultsPerColumnFamily(1)
                .setRowOffsetPerColumnFamily(1)
                .setFilter(new SingleColumnValueFilter(ONE, R, CompareOperator.EQUAL, Bytes.toBytes("another")));
        assertThat(scanned(scan)).containsExactly("paged-1 1");
    }

    /** HBase's class looks beyond the end of a row that is shorter than the prefix. */
    @Test
    void aPrefixIsComparedWithShorterRowsToo() throws IOException {
        put("start\0", Q);
        put("start\0-of-a-row", Q);
        put("starting", Q);
        List<String> found = List.of("start\0-of-a-row 1");
        Filter filter = new PrefixFilter(Bytes.toBytes("start\0-of"));
        Filter inner = new FilterList(new PrefixFilter(Bytes.toBytes("start\0-of")));
        assertThat(scanned(new Scan().setFilter(filter))).isEqualTo(found);
        assertThat(scanned(new Scan().setFilter(inner))).isEqualTo(found);
        assertThat(scanned(new Scan().setReversed(true).setFilter(filter))).isEqualTo(found);
        assertThat(scanned(new Scan().setFilter(new PrefixFilter(Bytes.toBytes("start\0\0")))))
                .isEmpty();
    }

    @Test
    void aFamilyThatMayShowNothingShowsOneCell() throws IOException {
        put("limited", UNNAMED, Q, R);
        byte[] row = Bytes.toBytes("limited");
        assertThat(table.get(new Get(row).setMaxResultsPerColumnFamily(0)).size())
                .isOne();
        Result second = table.get(new Get(row).setMaxResultsPerColumnFamily(0).setRowOffsetPerColumnFamily(1));
        assertThat(second.rawCells()).hasSize(1);
        assertThat(second.containsColumn(ONE, Q)).isTrue();
        assertThat(scanned(new Scan()
                        .setStartStopRowForPrefixScan(Bytes.toBytes("limited"))
                        .setMaxResultsPerColumnFamily(0)))
                .containsExactly("limited 1");
    }
}
