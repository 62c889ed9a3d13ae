package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** HBase's own client, unmodified, against the frontend: every kind of read and write. */
class ClientTest {
    private static final byte[] F = bytes("f");
    private static final byte[] G = bytes("g");

    private static ServedCluster served;
    private static Connection connection;

    private Table table;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.shared();
        connection = served.connect();
    }

    @AfterAll
    static void stop() throws IOException {
        connection.close();
    }

    @BeforeEach
    void create(TestInfo test) throws IOException {
        TableName name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(
                    TableDescriptorBuilder.newBuilder(name)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F)
                                    .setMaxVersions(3)
                                    .build())
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
                            .build(),
                    new byte[][] {bytes("h"), bytes("p")});
        }
        table = connection.getTable(name);
    }

    @Test
    void whatIsPutIsGot() throws IOException {
        table.put(new Put(bytes("a")).addColumn(F, bytes("q"), bytes("1")).addColumn(G, bytes(""), bytes("2")));

        Result result = table.get(new Get(bytes("a")));

        assertThat(result.getValue(F, bytes("q"))).isEqualTo(bytes("1"));
        assertThat(result.getValue(G, bytes(""))).isEqualTo(bytes("2"));
        assertThat(table.exists(new Get(bytes("a")))).isTrue();
        assertThat(table.exists(new Get(bytes("b")))).isFalse();
        assertThat(table.get(new Get(bytes("b"))).isEmpty()).isTrue();
    }

    /** More cells than are read on the thread of a connection: the call continues elsewhere, with a filter of its own. */
    @Test
    void aWideRowIsReadWhole() throws IOException {
        int columns = 5_000;
        Put put = new Put(bytes("a"));
        for (int i = 0; i < columns; i++) {
            put.addColumn(F, bytes("q%05d".formatted(i)), bytes("v"));
        }
        table.put(put);

        assertThat(table.get(new Get(bytes("a"))).size()).isEqualTo(columns);
        assertThat(table.exists(new Get(bytes("a")))).isTrue();
        Get some = new Get(bytes("a")).setFilter(new ColumnPaginationFilter(columns, 3));
        assertThat(table.get(some).size()).isEqualTo(columns - 3);
        CheckAndMutate check = CheckAndMutate.newBuilder(bytes("a"))
                .ifMatches(new ColumnPrefixFilter(bytes("q04999")))
                .build(new Put(bytes("a")).addColumn(G, bytes("found"), bytes("yes")));
        assertThat(table.checkAndMutate(check).isSuccess()).isTrue();
        assertThat(values(table.get(new Get(bytes("a")).addFamily(G)))).containsExactly("yes");
    }

    @Test
    void versionsAndTimesSelectCells() throws IOException {
        for (long time = 1; time <= 5; time++) {
            table.put(new Put(bytes("a")).addColumn(F, bytes("q"), time, bytes("v" + time)));
        }

        Get all = new Get(bytes("a")).readAllVersions();
        assertThat(values(table.get(all))).containsExactly("v5", "v4", "v3");
        assertThat(values(table.get(new Get(bytes("a")).readVersions(2)))).containsExactly("v5", "v4");
        assertThat(values(table.get(new Get(bytes("a")).setTimeRange(0, 5)))).containsExactly("v4");
        assertThat(values(table.get(new Get(bytes("a")).setTimestamp(3)))).containsExactly("v3");
    }

    @Test
    void deletesOfEveryKind() throws IOException {
        for (long time = 1; time <= 3; time++) {
            table.put(new Put(bytes("a"))
                    .addColumn(F, bytes("q"), time, bytes("q" + time))
                    .addColumn(F, bytes("r"), time, bytes("r" + time))
                    .addColumn(G, bytes("s"), time, bytes("s" + time)));
        }
        table.delete(new Delete(bytes("a")).addColumn(F, bytes("q")));
        assertThat(values(table.get(new Get(bytes("a")).addColumn(F, bytes("q")))))
                .containsExactly("q2");
        table.delete(new Delete(bytes("a")).addColumns(F, bytes("q")));
        assertThat(table.exists(new Get(bytes("a")).addColumn(F, bytes("q")))).isFalse();
        table.delete(new Delete(bytes("a")).addFamilyVersion(F, 3));
        assertThat(values(table.get(new Get(bytes("a")).addColumn(F, bytes("r")))))
                .containsExactly("r2");
        table.delete(new Delete(bytes("a")).addFamily(F));
        assertThat(values(table.get(new Get(bytes("a"))))).containsExactly("s3");
        table.delete(new Delete(bytes("a")));
        assertThat(table.exists(new Get(bytes("a")))).isFalse();
    }

    @Test
    void incrementsAndAppends() throws IOException {
        assertThat(table.incrementColumnValue(bytes("a"), F, bytes("n"), 5)).isEqualTo(5);
        assertThat(table.increment(new Increment(bytes("a")).addColumn(F, bytes("n"), -2))
                        .getValue(F, bytes("n")))
                .isEqualTo(org.apache.hadoop.hbase.util.Bytes.toBytes(3L));
        table.append(new Append(bytes("a")).addColumn(F, bytes("t"), bytes("x")));
        assertThat(values(table.append(new Append(bytes("a")).addColumn(F, bytes("t"), bytes("y")))))
                .containsExactly("xy");
        assertThatThrownBy(() -> table.incrementColumnValue(bytes("a"), F, bytes("t"), 1))
                .hasMessageContaining("Field is not a long, it's 2 bytes wide");
    }

    @Test
    void checksBeforeItMutates() throws IOException {
        CheckAndMutate absent = CheckAndMutate.newBuilder(bytes("a"))
                .ifNotExists(F, bytes("q"))
                .build(new Put(bytes("a")).addColumn(F, bytes("q"), bytes("1")));
        assertThat(table.checkAndMutate(absent).isSuccess()).isTrue();
        assertThat(table.checkAndMutate(absent).isSuccess()).isFalse();
        CheckAndMutate less = CheckAndMutate.newBuilder(bytes("a"))
                .ifMatches(F, bytes("q"), CompareOperator.GREATER, bytes("2"))
                .build(new Increment(bytes("a")).addColumn(F, bytes("n"), 7));
        assertThat(table.checkAndMutate(less).getResult().getValue(F, bytes("n")))
                .isEqualTo(org.apache.hadoop.hbase.util.Bytes.toBytes(7L));
        RowMutations both = RowMutations.of(List.of(
                new Put(bytes("a")).addColumn(F, bytes("q"), bytes("2")),
                new Delete(bytes("a")).addColumns(F, bytes("n"))));
        CheckAndMutate rows = CheckAndMutate.newBuilder(bytes("a"))
                .ifEquals(F, bytes("q"), bytes("1"))
                .build(both);
        assertThat(table.checkAndMutate(List.of(rows, absent)))
                .extracting(org.apache.hadoop.hbase.client.CheckAndMutateResult::isSuccess)
                .containsExactly(true, false);
        assertThat(values(table.get(new Get(bytes("a"))))).containsExactly("2");
    }

    @Test
    void batchesAnswerEachAction() throws IOException, InterruptedException {
        table.put(new Put(bytes("x")).addColumn(F, bytes("q"), bytes("old")));
        List<Row> actions = List.of(
                new Put(bytes("a")).addColumn(F, bytes("q"), bytes("1")),
                new Put(bytes("k")).addColumn(bytes("nope"), bytes("q"), bytes("1")),
                new Get(bytes("x")),
                new Increment(bytes("z")).addColumn(F, bytes("n"), 4),
                new Delete(bytes("x")));
        Object[] results = new Object[actions.size()];

        assertThatThrownBy(() -> table.batch(actions, results)).hasMessageContaining("NoSuchColumnFamilyException");

        assertThat(values((Result) results[2])).containsExactly("old");
        assertThat(results[1]).isInstanceOf(NoSuchColumnFamilyException.class);
        assertThat(((Result) results[3]).getValue(F, bytes("n")))
                .isEqualTo(org.apache.hadoop.hbase.util.Bytes.toBytes(4L));
        assertThat(table.exists(new Get(bytes("x")))).isFalse();
        assertThat(table.exists(new Get(bytes("a")))).isTrue();
    }

    @Test
    void scansGoOverAllRegionsInBothDirections() throws IOException {
        List<Put> puts = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        for (char c = 'a'; c <= 'z'; c++) {
            for (int i = 0; i < 20; i++) {
                rows.add("" + c + (char) ('a' + i));
                puts.add(new Put(bytes(rows.get(rows.size() - 1))).addColumn(F, bytes("q"), bytes("v")));
            }
        }
        table.put(puts);

        assertThat(rows(new Scan())).isEqualTo(rows);
        assertThat(rows(new Scan().setCaching(7))).isEqualTo(rows);
        assertThat(rows(new Scan().setLimit(33))).isEqualTo(rows.subList(0, 33));
        List<String> backward = new ArrayList<>(rows);
        java.util.Collections.reverse(backward);
        assertThat(rows(new Scan().setReversed(true))).isEqualTo(backward);
        assertThat(rows(new Scan()
                        .setReversed(true)
                        .withStartRow(bytes("hb"), true)
                        .withStopRow(bytes("gr"), false)))
                .containsExactly("hb", "ha", "gt", "gs");
        assertThat(rows(new Scan().withStartRow(bytes("gs"), false).withStopRow(bytes("ha"), true)))
                .containsExactly("gt", "ha");
    }

    @Test
    void wideRowsComeInParts() throws IOException {
        Put wide = new Put(bytes("a"));
        for (int i = 0; i < 1000; i++) {
            wide.addColumn(F, bytes("q" + (1000 + i)), new byte[1000]);
        }
        table.put(wide);
        try (ResultScanner scanner = table.getScanner(new Scan().setBatch(300))) {
            List<Integer> sizes = new ArrayList<>();
            scanner.forEach(result -> sizes.add(result.size()));
            assertThat(sizes).containsExactly(300, 300, 300, 100);
        }
        try (ResultScanner scanner = table.getScanner(new Scan().setMaxResultSize(50_000))) {
            assertThat(scanner.next().size()).isEqualTo(1000);
            assertThat(scanner.next()).isNull();
        }
    }

    private List<String> rows(Scan scan) throws IOException {
        List<String> rows = new ArrayList<>();
        try (ResultScanner scanner = table.getScanner(scan)) {
            scanner.forEach(result -> rows.add(new String(result.getRow(), StandardCharsets.UTF_8)));
        }
        return rows;
    }

    private static List<String> values(Result result) {
        List<String> values = new ArrayList<>();
        result.listCells()
                .forEach(cell -> values.add(
                        new String(org.apache.hadoop.hbase.CellUtil.cloneValue(cell), StandardCharsets.UTF_8)));
        return values;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
