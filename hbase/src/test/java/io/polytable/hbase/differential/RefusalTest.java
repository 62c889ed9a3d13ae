package io.polytable.hbase.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that a server refuses: with the same class of exception, since by it a client decides what to do. */
@Tag("peers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusalTest {
    private static final Schema SCHEMA = Schema.ALL.get(0);
    private static final TableName ABSENT = TableName.valueOf("absent");
    private static final byte[] ROW = Bytes.toBytes("refused");
    private static final byte[] KNOWN = Bytes.toBytes("a");
    private static final byte[] UNKNOWN = Bytes.toBytes("unknown");
    private static final byte[] COLUMN = Bytes.toBytes("q");
    private static final byte[] TEXT = Bytes.toBytes("text");

    private Opponents opponents;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        opponents = Opponents.in(directory).with(List.of(SCHEMA));
        for (Side side : List.of(opponents.theirs(), opponents.ours())) {
            try (Table table = side.table(SCHEMA.table())) {
                table.put(new Put(ROW).addColumn(KNOWN, COLUMN, TEXT));
            }
        }
    }

    @AfterAll
    void stop() throws IOException {
        opponents.close();
    }

    /** Something to do on a side. */
    private interface Call {
        void on(Side side) throws IOException;
    }

    private interface TableCall {
        void on(Table table) throws IOException;
    }

    private interface AdminCall {
        void on(Admin admin) throws IOException;
    }

    private static Call table(TableCall call) {
        return side -> {
            try (Table table = side.table(SCHEMA.table())) {
                call.on(table);
            }
        };
    }

    private static Call admin(AdminCall call) {
        return side -> {
            try (Admin admin = side.admin()) {
                call.on(admin);
            }
        };
    }

    private static final Map<String, Call> CALLS = calls();

    private static Map<String, Call> calls() {
        Map<String, Call> calls = new LinkedHashMap<>();
        addReadsAndWrites(calls);
        addConditions(calls);
        addTables(calls);
        addOthers(calls);
        return calls;
    }

    private static void addReadsAndWrites(Map<String, Call> calls) {
        calls.put("put, unknown family", table(table -> table.put(new Put(ROW).addColumn(UNKNOWN, COLUMN, TEXT))));
        calls.put("delete, unknown family", table(table -> table.delete(new Delete(ROW).addFamily(UNKNOWN))));
        calls.put("get, unknown family", table(table -> table.get(new Get(ROW).addFamily(UNKNOWN))));
        calls.put(
                "get of many, unknown family",
                table(table -> table.get(List.of(new Get(ROW), new Get(ROW).addFamily(UNKNOWN)))));
        calls.put(
                "scan, unknown family",
                table(table -> table.getScanner(new Scan().addFamily(UNKNOWN)).next()));
        calls.put(
                "raw scan of a column",
                table(table -> table.getScanner(new Scan().setRaw(true).addColumn(KNOWN, COLUMN))
                        .next()));
        calls.put(
                "increment, unknown family",
                table(table -> table.increment(new Increment(ROW).addColumn(UNKNOWN, COLUMN, 1))));
        calls.put("increment of text", table(table -> table.increment(new Increment(ROW).addColumn(KNOWN, COLUMN, 1))));
        calls.put(
                "append, unknown family",
                table(table -> table.append(new Append(ROW).addColumn(UNKNOWN, COLUMN, TEXT))));
        calls.put(
                "row mutations, one unknown family",
                table(table -> table.mutateRow(RowMutations.of(List.of(
                        new Put(ROW).addColumn(KNOWN, COLUMN, TEXT), new Put(ROW).addColumn(UNKNOWN, COLUMN, TEXT))))));
        calls.put("put, absent table", side -> {
            try (Table table = side.table(ABSENT)) {
                table.put(new Put(ROW).addColumn(KNOWN, COLUMN, TEXT));
            }
        });
        calls.put("scan, absent table", side -> {
            try (Table table = side.table(ABSENT)) {
                table.getScanner(new Scan()).next();
            }
        });
    }

    private static void addConditions(Map<String, Call> calls) {
        calls.put(
                "check of an unknown family",
                table(table -> table.checkAndMutate(CheckAndMutate.newBuilder(ROW)
                        .ifNotExists(UNKNOWN, COLUMN)
                        .build(new Put(ROW).addColumn(KNOWN, COLUMN, TEXT)))));
        calls.put(
                "check, then put to an unknown family",
                table(table -> table.checkAndMutate(CheckAndMutate.newBuilder(ROW)
                        .ifEquals(KNOWN, COLUMN, TEXT)
                        .build(new Put(ROW).addColumn(UNKNOWN, COLUMN, TEXT)))));
        calls.put(
                "check, then increment of text",
                table(table -> table.checkAndMutate(CheckAndMutate.newBuilder(ROW)
                        .ifEquals(KNOWN, COLUMN, TEXT)
                        .build(new Increment(ROW).addColumn(KNOWN, COLUMN, 1)))));
    }

    private static void addTables(Map<String, Call> calls) {
        calls.put("create again", admin(admin -> admin.createTable(SCHEMA.descriptor())));
        calls.put(
                "create without families",
                admin(admin -> admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("empty"))
                        .build())));
        calls.put(
                "create in an absent namespace",
                admin(admin -> admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("nowhere", "t"))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("a"))
                        .build())));
        calls.put(
                "create, more least than most versions",
                admin(admin -> admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("senseless"))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(KNOWN)
                                .setMinVersions(5)
                                .setMaxVersions(2)
                                .build())
                        .build())));
        calls.put("drop of an enabled table", admin(admin -> admin.deleteTable(SCHEMA.table())));
        calls.put("drop of an absent table", admin(admin -> admin.deleteTable(ABSENT)));
        calls.put("truncate of an enabled table", admin(admin -> admin.truncateTable(SCHEMA.table(), false)));
        calls.put("enable of an enabled table", admin(admin -> admin.enableTable(SCHEMA.table())));
        calls.put("enable of an absent table", admin(admin -> admin.enableTable(ABSENT)));
        calls.put("disable of an absent table", admin(admin -> admin.disableTable(ABSENT)));
        calls.put("descriptor of an absent table", admin(admin -> admin.getDescriptor(ABSENT)));
        calls.put("state of an absent table", admin(admin -> admin.isTableEnabled(ABSENT)));
        calls.put(
                "modify of an absent table",
                admin(admin -> admin.modifyTable(TableDescriptorBuilder.newBuilder(ABSENT)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("a"))
                        .build())));
        calls.put(
                "add of a family that is there",
                admin(admin -> admin.addColumnFamily(SCHEMA.table(), ColumnFamilyDescriptorBuilder.of("a"))));
        calls.put(
                "modify of an unknown family",
                admin(admin -> admin.modifyColumnFamily(SCHEMA.table(), ColumnFamilyDescriptorBuilder.of("unknown"))));
        calls.put("delete of an unknown family", admin(admin -> admin.deleteColumnFamily(SCHEMA.table(), UNKNOWN)));
        calls.put("flush of an absent table", admin(admin -> admin.flush(ABSENT)));
        calls.put("major compaction of an absent table", admin(admin -> admin.majorCompact(ABSENT)));
    }

    private static void addOthers(Map<String, Call> calls) {
        calls.put(
                "snapshot of an absent table",
                admin(admin -> admin.snapshot(new SnapshotDescription("of-nothing", ABSENT))));
        calls.put(
                "clone of an absent snapshot",
                admin(admin -> admin.cloneSnapshot("no-snapshot", TableName.valueOf("clone"))));
        calls.put("delete of an absent snapshot", admin(admin -> admin.deleteSnapshot("no-snapshot")));
        calls.put(
                "create of a namespace that is there",
                admin(admin -> admin.createNamespace(
                        NamespaceDescriptor.create("default").build())));
        calls.put("delete of an absent namespace", admin(admin -> admin.deleteNamespace("nowhere")));
        calls.put("delete of the default namespace", admin(admin -> admin.deleteNamespace("default")));
        calls.put("description of an absent namespace", admin(admin -> admin.getNamespaceDescriptor("nowhere")));
        calls.put("tables of an absent namespace", admin(admin -> admin.listTableNamesByNamespace("nowhere")));
    }

    static Stream<String> names() {
        return CALLS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void isRefusedAsByHBase(String name) {
        Call call = Objects.requireNonNull(CALLS.get(name));
        assertThat(outcome(call, opponents.ours())).isEqualTo(outcome(call, opponents.theirs()));
    }

    private static String outcome(Call call, Side side) {
        try {
            call.on(side);
            return "done";
        } catch (IOException | RuntimeException failure) {
            return Outcome.of(failure);
        }
    }
}
