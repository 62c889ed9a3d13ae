package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One client's mixed changes of rows that are its own, and what each row is after the last change that was acknowledged.
 * A change that was under way when the server went may be there or not, row by row, but always whole: so a row must be
 * found as it was before it or as it is after it.
 */
final class RowLoad {
    static final byte[] A = bytes("a");
    static final byte[] B = bytes("b");

    private static final int ROWS = 6;
    private static final int LOG_CHARS_MAX = 2_000;

    private final TableName name;
    private final int client;
    private final Random random;
    private final Map<String, NavigableMap<String, String>> acknowledged = new TreeMap<>();
    private Map<String, NavigableMap<String, String>> underWay = Map.of();
    private long step;
    private long acknowledgedSteps;

    RowLoad(TableName name, int client, long seed) {
        this.name = name;
        this.client = client;
        random = new Random(seed * 31 + client);
        for (int i = 0; i < ROWS; i++) {
            acknowledged.put(row(i), new TreeMap<>());
        }
    }

    private String row(int number) {
        return "client-" + client + "-" + number;
    }

    long acknowledgedSteps() {
        return acknowledgedSteps;
    }

    /** Changes rows until the server does not answer. */
    void runUntilLost(Configuration configuration) throws IOException {
        try (Connection connection = ConnectionFactory.createConnection(configuration);
                Table table = connection.getTable(name)) {
            while (true) {
                change(table);
                acknowledged.putAll(underWay);
                underWay = Map.of();
                acknowledgedSteps++;
            }
        } catch (IOException gone) {
            // What was under way may be there or not.
            assertThat(underWay).as("lost between changes: %s", gone).isNotEmpty();
        }
    }

    private void change(Table table) throws IOException {
        String value = Long.toString(++step);
        int kind = random.nextInt(7);
        if (kind == 0) {
            putAll(table, value);
            return;
        }
        String row = row(random.nextInt(ROWS));
        NavigableMap<String, String> next = new TreeMap<>(acknowledged.getOrDefault(row, new TreeMap<>()));
        String before = next.getOrDefault("a:v", "");
        boolean longLog = next.getOrDefault("a:log", "").length() > LOG_CHARS_MAX;
        underWay = Map.of(row, next);
        switch (kind) {
            case 1 -> {
                next.putAll(Map.of("a:v", value, "b:v", value));
                table.put(put(row, value));
            }
            case 2 -> replace(table, row, next, value);
            case 3 -> increment(table, row, next);
            case 4 -> checkAndPut(table, row, next, before, value);
            case 5 -> {
                if (longLog || random.nextInt(4) == 0) {
                    next.clear();
                    table.delete(new Delete(bytes(row)));
                } else {
                    append(table, row, next, value);
                }
            }
            default -> append(table, row, next, value);
        }
    }

    private static Put put(String row, String value) {
        return new Put(bytes(row)).addColumn(A, bytes("v"), bytes(value)).addColumn(B, bytes("v"), bytes(value));
    }

    /** One call, each row on its own. */
    private void putAll(Table table, String value) throws IOException {
        Map<String, NavigableMap<String, String>> all = new TreeMap<>();
        List<Put> puts = new ArrayList<>();
        acknowledged.forEach((row, columns) -> {
            NavigableMap<String, String> next = new TreeMap<>(columns);
            next.putAll(Map.of("a:v", value, "b:v", value));
            all.put(row, next);
            puts.add(put(row, value));
        });
        underWay = all;
        table.put(puts);
    }

    private static void replace(Table table, String row, Map<String, String> next, String value) throws IOException {
        next.remove("a:v");
        next.putAll(Map.of("a:w", value, "b:v", value));
        RowMutations together = RowMutations.of(List.of(
                new Delete(bytes(row)).addColumns(A, bytes("v")),
                new Put(bytes(row)).addColumn(A, bytes("w"), bytes(value)).addColumn(B, bytes("v"), bytes(value))));
        table.mutateRow(together);
    }

    private static void increment(Table table, String row, Map<String, String> next) throws IOException {
        next.merge("a:count", "1", RowLoad::sum);
        next.merge("b:count", "2", RowLoad::sum);
        Result result = table.increment(
                new Increment(bytes(row)).addColumn(A, bytes("count"), 1).addColumn(B, bytes("count"), 2));
        assertThat(Bytes.toLong(result.getValue(A, bytes("count")))).isEqualTo(Long.parseLong(next.get("a:count")));
    }

    private static String sum(String before, String more) {
        return Long.toString(Long.parseLong(before) + Long.parseLong(more));
    }

    private static void append(Table table, String row, Map<String, String> next, String value) throws IOException {
        next.merge("a:log", value + ",", String::concat);
        next.merge("b:log", value + ";", String::concat);
        Result result = table.append(new Append(bytes(row))
                .addColumn(A, bytes("log"), bytes(value + ","))
                .addColumn(B, bytes("log"), bytes(value + ";")));
        assertThat(new String(result.getValue(A, bytes("log")), StandardCharsets.UTF_8))
                .isEqualTo(next.get("a:log"));
    }

    private static void checkAndPut(Table table, String row, Map<String, String> next, String before, String value)
            throws IOException {
        next.putAll(Map.of("a:v", value, "b:v", value));
        CheckAndMutate.Builder check = CheckAndMutate.newBuilder(bytes(row));
        CheckAndMutate checked = (before.isEmpty()
                        ? check.ifNotExists(A, bytes("v"))
                        : check.ifEquals(A, bytes("v"), bytes(before)))
                .build(put(row, value));
        assertThat(table.checkAndMutate(checked).isSuccess()).isTrue();
    }

    /** Compares the rows with what was acknowledged, and continues from what is there. */
    void recover(Table table) throws IOException {
        Map<String, NavigableMap<String, String>> found = read(table);
        acknowledged.replaceAll((row, before) -> {
            NavigableMap<String, String> now = found.getOrDefault(row, new TreeMap<>());
            assertThat(List.of(before, underWay.getOrDefault(row, before)))
                    .as("%s after %d changes is neither before nor after the last one", row, step)
                    .contains(now);
            return now;
        });
        underWay = Map.of();
    }

    private Map<String, NavigableMap<String, String>> read(Table table) throws IOException {
        Map<String, NavigableMap<String, String>> found = new TreeMap<>();
        Scan own = new Scan().setStartStopRowForPrefixScan(bytes("client-" + client + "-"));
        try (ResultScanner scanner = table.getScanner(own)) {
            for (Result result : scanner) {
                NavigableMap<String, String> columns = new TreeMap<>();
                for (Cell cell : result.listCells()) {
                    String column = Bytes.toString(CellUtil.cloneFamily(cell)) + ":"
                            + Bytes.toString(CellUtil.cloneQualifier(cell));
                    byte[] value = CellUtil.cloneValue(cell);
                    columns.put(
                            column,
                            column.endsWith("count")
                                    ? Long.toString(Bytes.toLong(value))
                                    : new String(value, StandardCharsets.UTF_8));
                }
                found.put(Bytes.toString(result.getRow()), columns);
            }
        }
        return found;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
