package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase's MapReduce tools, unmodified, in a process with their own jars: how data comes from HBase and goes back. RowCounter
 * and Export read through TableInputFormat, Import and CopyTable write through TableOutputFormat.
 */
class MapReduceTest {
    private static final TableName SOURCE = TableName.valueOf("source");
    private static final TableName IMPORTED = TableName.valueOf("imported");
    private static final TableName COPIED = TableName.valueOf("copied");
    private static final byte[] F = bytes("f");
    private static final byte[] G = bytes("g");
    private static final int ROWS = 5_000;
    private static final int SECONDS_MAX = 240;
    private static final String TOOLS = "org.apache.hadoop.hbase.mapreduce.";

    @Test
    void rowsAreCountedExportedImportedAndCopiedToAnotherCluster(@TempDir Path directory) throws Exception {
        try (ServedCluster served = ServedCluster.on(directory.resolve("one"));
                ServedCluster other = ServedCluster.on(directory.resolve("other"));
                Connection connection = served.connect();
                Connection there = other.connect()) {
            create(connection, SOURCE, "01250", "02500", "03750");
            create(connection, IMPORTED);
            create(there, COPIED, "01234");
            fill(connection);
            String output = run(directory, served, other);

            assertThat(output).contains("ROWS=" + ROWS);
            List<String> cells = cells(connection, SOURCE);
            assertThat(cells).hasSize(2 * ROWS + ROWS / 10 + ROWS / 100);
            assertThat(cells(connection, IMPORTED)).isEqualTo(cells);
            assertThat(cells(there, COPIED)).isEqualTo(cells);
        }
    }

    private static String run(Path directory, ServedCluster served, ServedCluster other) throws Exception {
        Path settings = SiteFile.write(
                directory.resolve("settings"),
                Map.of(
                        "hbase.zookeeper.quorum",
                        "localhost",
                        "hbase.zookeeper.property.clientPort",
                        Integer.toString(served.face().zookeeperPort().orElseThrow()),
                        // Jobs are polled, every second or every five by default.
                        "mapreduce.client.progressmonitor.pollinterval",
                        "20",
                        "mapreduce.client.completion.pollinterval",
                        "20"));
        String exported = directory.resolve("exported").toString();
        String classPath = String.join(
                File.pathSeparator,
                settings.toString(),
                ChildJvm.jarsOf("testbeds/hbase-tools/mapreduce"),
                classesOf(ToolMain.class).toString());
        String versions = Integer.toString(Integer.MAX_VALUE);
        String peer = "--peer.adr=localhost:" + other.face().zookeeperPort().orElseThrow() + ":/hbase";
        List<List<String>> tools = List.of(
                List.of(TOOLS + "RowCounter", SOURCE.getNameAsString()),
                List.of(TOOLS + "Export", SOURCE.getNameAsString(), exported, versions),
                List.of(TOOLS + "Import", IMPORTED.getNameAsString(), exported),
                List.of(
                        TOOLS + "CopyTable",
                        peer,
                        "--versions=" + versions,
                        "--new.name=" + COPIED.getNameAsString(),
                        SOURCE.getNameAsString()));
        List<String> words = new ArrayList<>(
                List.of("-Dhadoop.tmp.dir=" + directory.resolve("tmp"), "-Dorg.slf4j.simpleLogger.logFile=System.out"));
        words.add(ToolMain.class.getName());
        for (List<String> tool : tools) {
            if (words.size() > 3) {
                words.add(ToolMain.NEXT);
            }
            words.addAll(tool);
        }
        try (ChildJvm child = ChildJvm.start(directory.resolve("work"), classPath, words)) {
            return child.awaitSuccess(SECONDS_MAX);
        }
    }

    /** Where our own compiled class lies: the rest of the class path is the tools'. */
    static Path classesOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void create(Connection connection, TableName name, String... splits) throws IOException {
        byte[][] keys = new byte[splits.length][];
        for (int i = 0; i < splits.length; i++) {
            keys[i] = bytes(splits[i]);
        }
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(
                    TableDescriptorBuilder.newBuilder(name)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F)
                                    .setMaxVersions(3)
                                    .build())
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
                            .build(),
                    splits.length == 0 ? null : keys);
        }
    }

    /** Two columns each; of every tenth a second version; of every hundredth a column that was deleted in between. */
    private static void fill(Connection connection) throws IOException {
        try (BufferedMutator mutator = connection.getBufferedMutator(SOURCE)) {
            for (int i = 0; i < ROWS; i++) {
                byte[] row = bytes(String.format(Locale.ROOT, "%05d", i));
                mutator.mutate(new Put(row)
                        .addColumn(F, bytes("a"), 100, bytes("value " + i))
                        .addColumn(G, bytes(""), 100, new byte[] {0, (byte) i, -1}));
                if (i % 10 == 0) {
                    mutator.mutate(new Put(row).addColumn(F, bytes("a"), 200, bytes("newer " + i)));
                }
                if (i % 100 == 0) {
                    mutator.mutate(new Put(row).addColumn(F, bytes("b"), 100, bytes("gone")));
                    mutator.mutate(new Delete(row).addColumns(F, bytes("b"), 150));
                    mutator.mutate(new Put(row).addColumn(F, bytes("b"), 200, bytes("here")));
                }
            }
        }
    }

    private static List<String> cells(Connection connection, TableName name) throws IOException {
        List<String> cells = new ArrayList<>();
        try (Table table = connection.getTable(name);
                ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
            for (Result result : scanner) {
                for (Cell cell : result.listCells()) {
                    cells.add(Bytes.toStringBinary(CellUtil.cloneRow(cell)) + " "
                            + Bytes.toStringBinary(CellUtil.cloneFamily(cell)) + ":"
                            + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)) + "@" + cell.getTimestamp() + "="
                            + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
                }
            }
        }
        return cells;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
