package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.hbase.client.ClientLimits;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scans of HBase's own client: its filters, its leases, and what it asks beyond rows. */
class ScanTest {
    private static final byte[] F = bytes("f");
    private static final byte[] G = bytes("g");
    private static final TableName NAME = TableName.valueOf("scanned");
    private static final int SCANNERS_MAX = 4;

    @TempDir
    static Path directory;

    private static ServedCluster served;
    private static Connection connection;
    private static Table table;

    /** Rows r00..r19: f:a = the row's number, f:b = "even" or "odd", g:x = "g" for every fifth; two regions. */
    @BeforeAll
    static void start() throws IOException {
        ClientLimits limits = new ClientLimits(SCANNERS_MAX, Duration.ofSeconds(1), 1 << 20);
        served = ServedCluster.on(directory, options -> options.withLimits(100, 8 << 20, limits));
        connection = served.connect();
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(
                    TableDescriptorBuilder.newBuilder(NAME)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
                            .build(),
                    new byte[][] {bytes("r10")});
        }
        table = connection.getTable(NAME);
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Put put = new Put(bytes(row(i)), 1000 + i)
                    .addColumn(F, bytes("a"), bytes(String.valueOf(i)))
                    .addColumn(F, bytes("b"), bytes(i % 2 == 0 ? "even" : "odd"));
            if (i % 5 == 0) {
                put.addColumn(G, bytes("x"), bytes("g"));
            }
            puts.add(put);
        }
        table.put(puts);
    }

    @AfterAll
    static void stop() throws IOException {
        table.close();
        connection.close();
        served.close();
    }

    @Test
    void filtersOnRows() throws IOException {
        assertThat(rows(new PrefixFilter(bytes("r1")))).isEqualTo(range(10, 20));
        assertThat(rows(new InclusiveStopFilter(bytes("r03")))).isEqualTo(range(0, 4));
        assertThat(rows(new PageFilter(3))).isEqualTo(List.of("r00", "r01", "r02", "r10", "r11", "r12"));
        assertThat(rows(new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("r.7"))))
                .containsExactly("r07", "r17");
        assertThat(rows(new RowFilter(CompareOperator.LESS, new BinaryComparator(bytes("r02")))))
                .isEqualTo(range(0, 2));
        assertThat(rows(new FuzzyRowFilter(List.of(new Pair<>(bytes("r?5"), new byte[] {0, 1, 0})))))
                .containsExactly("r05", "r15");
        assertThat(rows(new MultiRowRangeFilter(new ArrayList<>(List.of(
                        new MultiRowRangeFilter.RowRange(bytes("r02"), true, bytes("r04"), false),
                        new MultiRowRangeFilter.RowRange(bytes("r18"), true, bytes("r19"), true))))))
                .containsExactly("r02", "r03", "r18", "r19");
        assertThat(rows(new RandomRowFilter(1f))).hasSize(20);
        assertThat(rows(new RandomRowFilter(-1f))).isEmpty();
    }

    @Test
    void filtersOnValues() throws IOException {
        assertThat(rows(new SingleColumnValueFilter(F, bytes("b"), CompareOperator.EQUAL, bytes("odd"))))
                .hasSize(10)
                .startsWith("r01", "r03");
        SingleColumnValueFilter withX = new SingleColumnValueFilter(G, bytes("x"), CompareOperator.EQUAL, bytes("g"));
        withX.setFilterIfMissing(true);
        assertThat(rows(withX)).containsExactly("r00", "r05", "r10", "r15");
        assertThat(cells(new SingleColumnValueExcludeFilter(F, bytes("b"), CompareOperator.EQUAL, bytes("even")))
                        .get("r00"))
                .containsExactly("f:a", "g:x");
        assertThat(rows(new ValueFilter(CompareOperator.EQUAL, new SubstringComparator("dd"))))
                .hasSize(10);
        assertThat(rows(new SkipFilter(new ValueFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(bytes("odd"))))))
                .hasSize(10)
                .startsWith("r00");
        // As in HBase, a filter starts again with each region.
        List<String> untilFour = range(0, 3);
        untilFour.addAll(range(10, 20));
        assertThat(rows(new WhileMatchFilter(
                        new RowFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(bytes("r03"))))))
                .isEqualTo(untilFour);
        assertThat(rows(new ColumnValueFilter(F, bytes("a"), CompareOperator.EQUAL, bytes("7"))))
                .containsExactly("r07");
    }

    @Test
    void filtersOnColumns() throws IOException {
        assertThat(cells(new ColumnPrefixFilter(bytes("b"))).get("r03")).containsExactly("f:b");
        assertThat(cells(new MultipleColumnPrefixFilter(new byte[][] {bytes("a"), bytes("x")}))
                        .get("r05"))
                .containsExactly("f:a", "g:x");
        assertThat(cells(new ColumnRangeFilter(bytes("b"), true, bytes("x"), false))
                        .get("r05"))
                .containsExactly("f:b");
        assertThat(cells(new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(bytes("x")))))
                .containsOnlyKeys("r00", "r05", "r10", "r15");
        assertThat(cells(new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(G))))
                .containsOnlyKeys("r00", "r05", "r10", "r15");
        assertThat(cells(new FirstKeyOnlyFilter()).get("r05")).containsExactly("f:a");
        assertThat(cells(new ColumnPaginationFilter(1, 1)).get("r05")).containsExactly("f:b");
        assertThat(cells(new TimestampsFilter(List.of(1003L)))).containsOnlyKeys("r03");
        assertThat(cells(new DependentColumnFilter(G, bytes("x")))).containsOnlyKeys("r00", "r05", "r10", "r15");
        try (ResultScanner scanner = table.getScanner(new Scan().setFilter(new KeyOnlyFilter()))) {
            assertThat(scanner.next().getValue(F, bytes("a"))).isEmpty();
        }
    }

    @Test
    void filtersTogetherAndBackward() throws IOException {
        FilterList both = new FilterList(
                FilterList.Operator.MUST_PASS_ALL,
                new PrefixFilter(bytes("r1")),
                new SingleColumnValueFilter(F, bytes("b"), CompareOperator.EQUAL, bytes("even")));
        assertThat(rows(both)).containsExactly("r10", "r12", "r14", "r16", "r18");
        FilterList either = new FilterList(
                FilterList.Operator.MUST_PASS_ONE,
                new PrefixFilter(bytes("r00")),
                new RowFilter(CompareOperator.EQUAL, new BinaryComparator(bytes("r19"))));
        assertThat(rows(either)).containsExactly("r00", "r19");
        Scan backward = new Scan()
                .setReversed(true)
                .setFilter(new MultiRowRangeFilter(new ArrayList<>(List.of(
                        new MultiRowRangeFilter.RowRange(bytes("r02"), true, bytes("r04"), false),
                        new MultiRowRangeFilter.RowRange(bytes("r18"), true, bytes("r19"), true)))));
        assertThat(rows(backward)).containsExactly("r19", "r18", "r03", "r02");
    }

    /** A class that the server has not got. */
    static final class OwnFilter extends FilterBase {
        @Override
        public ReturnCode filterCell(org.apache.hadoop.hbase.Cell cell) {
            return ReturnCode.INCLUDE;
        }

        @Override
        public byte[] toByteArray() {
            return new byte[0];
        }
    }

    @Test
    void aFilterThatIsNotHBasesIsRefusedByName() {
        assertThatThrownBy(() -> rows(new OwnFilter())).hasStackTraceContaining("OwnFilter is not one of HBase's own");
    }

    /** Asked for a hint backwards, HBase's own class can loop forever. */
    @Test
    void aFuzzyFilterFindsTheSameRowsBackward() throws IOException {
        Filter fuzzy = new FuzzyRowFilter(List.of(
                new Pair<>(new byte[] {'r', '0', '3'}, new byte[] {0, 1, 0}),
                new Pair<>(new byte[] {'r', '1', '5'}, new byte[] {0, 0, 0})));
        Filter columns = new QualifierFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(bytes("none")));
        List<Filter> filters = List.of(
                fuzzy,
                new SkipFilter(fuzzy),
                new FilterList(fuzzy, columns),
                new FilterList(FilterList.Operator.MUST_PASS_ONE, fuzzy, new PrefixFilter(bytes("r07"))));
        for (Filter filter : filters) {
            List<String> forward = rows(filter);
            List<String> backward = rows(new Scan().setReversed(true).setFilter(filter));
            Collections.reverse(backward);
            assertThat(backward).as(filter.toString()).isEqualTo(forward).contains("r03", "r13", "r15");
        }
        assertThat(rows(new Scan().setReversed(true).setFilter(new WhileMatchFilter(fuzzy))))
                .isEqualTo(List.of());
    }

    @Test
    void scannersHaveALeaseAndABound() throws Exception {
        Scan slow = new Scan().setCaching(1).setMaxResultSize(1);
        List<ResultScanner> open = new ArrayList<>();
        try {
            for (int i = 0; i < SCANNERS_MAX; i++) {
                ResultScanner scanner = table.getScanner(slow);
                open.add(scanner);
                assertThat(scanner.next().getRow()).isEqualTo(bytes("r00"));
            }
            assertThatThrownBy(() -> rows(slow)).hasStackTraceContaining("RegionTooBusyException");
            ResultScanner renewed = open.get(0);
            Await.until("the leases that nobody renews have expired", () -> {
                renewed.renewLease();
                return served.face().scannerCount() <= 1;
            });
            assertThat(renewed.next().getRow()).isEqualTo(bytes("r01"));
            // The client continues by itself where a lease was lost.
            assertThat(open.get(1).next().getRow()).isEqualTo(bytes("r01"));
        } finally {
            open.forEach(ResultScanner::close);
        }
    }

    private static List<String> range(int from, int to) {
        List<String> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(row(i));
        }
        return rows;
    }

    private static String row(int i) {
        return i < 10 ? "r0" + i : "r" + i;
    }

    private static List<String> rows(Filter filter) throws IOException {
        return rows(new Scan().setFilter(filter));
    }

    private static List<String> rows(Scan scan) throws IOException {
        List<String> rows = new ArrayList<>();
        try (ResultScanner scanner = table.getScanner(scan)) {
            scanner.forEach(result -> rows.add(new String(result.getRow(), StandardCharsets.UTF_8)));
        }
        return rows;
    }

    private static Map<String, List<String>> cells(Filter filter) throws IOException {
        Map<String, List<String>> cells = new TreeMap<>();
        try (ResultScanner scanner = table.getScanner(new Scan().setFilter(filter))) {
            for (Result result : scanner) {
                List<String> columns = new ArrayList<>();
                result.listCells()
                        .forEach(cell -> columns.add(
                                new String(org.apache.hadoop.hbase.CellUtil.cloneFamily(cell), StandardCharsets.UTF_8)
                                        + ":"
                                        + new String(
                                                org.apache.hadoop.hbase.CellUtil.cloneQualifier(cell),
                                                StandardCharsets.UTF_8)));
                cells.put(new String(result.getRow(), StandardCharsets.UTF_8), columns);
            }
        }
        return cells;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
