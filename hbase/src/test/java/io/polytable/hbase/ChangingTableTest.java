package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients write while the table is split, snapshotted, altered or truncated: no write is lost, duplicated or torn. */
class ChangingTableTest {
    private static final byte[] F = bytes("f");
    private static final byte[] G = bytes("g");
    private static final byte[] Q = bytes("q");
    private static final int ROWS = 40;
    private static final int WRITERS = 3;
    private static final int TIMES = 40;

    private static ServedCluster served;
    private static Connection connection;
    private static Admin admin;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.shared();
        Configuration patient = served.configuration();
        patient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 50);
        patient.setInt(HConstants.HBASE_CLIENT_PAUSE, 5);
        patient.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 60_000);
        connection = ConnectionFactory.createConnection(patient);
        admin = connection.getAdmin();
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        connection.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] row(int number) {
        return bytes("row%03d".formatted(number));
    }

    private static TableName created(String name) throws IOException {
        TableName table = TableName.valueOf(name);
        admin.createTable(TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
                .build());
        return table;
    }

    /** Runs the writers, and the changes over and over until all writers are done. */
    private static void during(Callable<Void> writer, Callable<Void> change) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(WRITERS + 1);
        try {
            List<Future<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(executor.submit(writer));
            }
            do {
                change.call();
            } while (!writers.stream().allMatch(Future::isDone));
            for (Future<Void> done : writers) {
                done.get(60, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void countersKeepCountWhileRegionsAreCutAnew() throws Exception {
        TableName name = created("counted");
        Random dice = new Random(1);
        during(
                () -> {
                    try (Table table = connection.getTable(name)) {
                        for (int i = 0; i < TIMES; i++) {
                            table.increment(new Increment(row(i % ROWS)).addColumn(F, Q, 1));
                            List<Row> batch = new ArrayList<>();
                            for (int n = 0; n < 4; n++) {
                                batch.add(new Increment(row((i * 4 + n) % ROWS)).addColumn(G, Q, 1));
                            }
                            table.batch(batch, new Object[batch.size()]);
                        }
                    }
                    return null;
                },
                () -> {
                    splitOrMerge(name, row(1 + dice.nextInt(ROWS - 1)));
                    return null;
                });

        long f = 0;
        long g = 0;
        try (Table table = connection.getTable(name);
                ResultScanner scanner = table.getScanner(new Scan())) {
            for (Result result : scanner) {
                f += Bytes.toLong(result.getValue(F, Q));
                g += Bytes.toLong(result.getValue(G, Q));
            }
        }
        assertThat(f).isEqualTo((long) WRITERS * TIMES);
        assertThat(g).isEqualTo((long) WRITERS * TIMES * 4);
    }

    private static void splitOrMerge(TableName name, byte[] at) throws Exception {
        List<RegionInfo> regions = admin.getRegions(name);
        if (regions.size() > 3) {
            byte[][] pair = {
                regions.get(0).getEncodedNameAsBytes(), regions.get(1).getEncodedNameAsBytes()
            };
            admin.mergeRegionsAsync(pair, false).get(60, TimeUnit.SECONDS);
        } else if (regions.stream().noneMatch(region -> Bytes.equals(region.getStartKey(), at))) {
            admin.split(name, at);
        }
    }

    @Test
    void aSnapshotHasNoRowHalfWritten() throws Exception {
        TableName name = created("saved");
        int[] taken = {0};
        during(
                () -> {
                    try (Table table = connection.getTable(name)) {
                        for (int i = 0; i < TIMES; i++) {
                            byte[] row = row(i % ROWS);
                            byte[] value = Bytes.toBytes(i);
                            table.mutateRow(RowMutations.of(List.of(
                                    new Put(row).addColumn(F, Q, 1, value), new Put(row).addColumn(G, Q, 1, value))));
                        }
                    }
                    return null;
                },
                () -> {
                    String snapshot = "saved" + taken[0]++;
                    TableName clone = TableName.valueOf("clone-" + snapshot);
                    admin.snapshot(snapshot, name);
                    admin.cloneSnapshot(snapshot, clone);
                    assertWhole(clone);
                    return null;
                });
        assertWhole(name);
        assertThat(taken[0]).isPositive();
    }

    private static void assertWhole(TableName name) throws IOException {
        try (Table table = connection.getTable(name);
                ResultScanner scanner = table.getScanner(new Scan())) {
            for (Result result : scanner) {
                assertThat(result.getValue(F, Q))
                        .as(Bytes.toString(result.getRow()))
                        .isEqualTo(result.getValue(G, Q));
            }
        }
    }

    /** What was written before is gone, what is written after is there, and what is written meanwhile is one or the other. */
    @Test
    void whatIsWrittenAfterATruncationIsThere() throws Exception {
        TableName name = created("emptied");
        Map<Integer, Long> startedNanos = new ConcurrentSkipListMap<>();
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Table table = connection.getTable(name)) {
            Future<?> writer = executor.submit(() -> {
                for (int i = 0; !done.get(); i++) {
                    long start = System.nanoTime();
                    try {
                        table.put(new Put(Bytes.toBytes(i)).addColumn(F, Q, Bytes.toBytes(i)));
                        startedNanos.put(i, start);
                    } catch (IOException refused) {
                        // While the table is disabled.
                    }
                }
            });
            for (int round = 0; round < 3; round++) {
                int before = startedNanos.size();
                Await.until("50 more rows are written", () -> startedNanos.size() >= before + 50 || writer.isDone());
                admin.disableTable(name);
                admin.truncateTable(name, round == 1);
            }
            long emptied = System.nanoTime();
            int behind = startedNanos.size();
            Await.until("50 more rows are written", () -> startedNanos.size() >= behind + 50 || writer.isDone());
            done.set(true);
            writer.get(60, TimeUnit.SECONDS);
            for (Map.Entry<Integer, Long> acknowledged : startedNanos.entrySet()) {
                if (acknowledged.getValue() - emptied > 0) {
                    assertThat(table.exists(new Get(Bytes.toBytes(acknowledged.getKey()))))
                            .isTrue();
                }
            }
            assertThat(table.exists(new Get(Bytes.toBytes(0)))).isFalse();
        } finally {
            done.set(true);
            executor.shutdownNow();
        }
    }

    /** A write from before the disable must not reach the table that is restored next. */
    @Test
    void aTableIsDisabledWhenItsWritersAreDone() throws Exception {
        TableName name = created("left");
        try (AsyncConnection writing =
                ConnectionFactory.createAsyncConnection(served.configuration()).get()) {
            CompletableFuture<Void> put;
            Future<Void> disabling;
            served.store().stripes().lockEverything();
            try {
                put = writing.getTable(name).put(new Put(row(1)).addColumn(F, Q, Q));
                // Comes behind the put on the same connection.
                writing.getTable(name).get(new Get(row(2))).get(20, TimeUnit.SECONDS);
                disabling = admin.disableTableAsync(name);
                Await.until("the table is no longer enabled", () -> !admin.isTableEnabled(name));
                assertThat(admin.isTableDisabled(name)).isFalse();
                assertThat(admin.listTableNamesByState(false)).doesNotContain(name);
                assertThat(stateInMeta(name)).isEqualTo(TableState.State.DISABLING);
                awaitInZooKeeper(name, TableState.State.DISABLING);
                assertThat(put.isDone()).isFalse();
                assertThat(disabling.isDone()).isFalse();
            } finally {
                served.store().stripes().unlockEverything();
            }
            disabling.get(60, TimeUnit.SECONDS);
            put.get(60, TimeUnit.SECONDS);
        }
        assertThat(admin.isTableDisabled(name)).isTrue();
        assertThat(stateInMeta(name)).isEqualTo(TableState.State.DISABLED);
        awaitInZooKeeper(name, TableState.State.DISABLED);
        admin.enableTable(name);
        assertThat(stateInMeta(name)).isEqualTo(TableState.State.ENABLED);
        try (Table table = connection.getTable(name)) {
            assertThat(table.exists(new Get(row(1)))).isTrue();
        }
    }

    private static TableState.State stateInMeta(TableName name) throws IOException {
        try (Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
            return MetaTableAccessor.getTableState(meta.get(new Get(name.getName())))
                    .getState();
        }
    }

    /** States are published behind the call that changes them. */
    private static void awaitInZooKeeper(TableName name, TableState.State state) throws Exception {
        byte[] wanted = ProtobufUtil.prependPBMagic(HBaseProtos.TableState.newBuilder()
                .setState(state.convert())
                .build()
                .toByteArray());
        int port = served.face().zookeeperPort().orElseThrow();
        ZooKeeper nodes = new ZooKeeper("127.0.0.1:" + port, 10_000, event -> {});
        try {
            String path = "/hbase/table-state/" + name;
            Await.until(
                    "ZooKeeper shows " + state, () -> Arrays.equals(nodes.getData(path, false, new Stat()), wanted));
        } finally {
            nodes.close();
        }
    }

    @Test
    void aCloneIsEnabledWhateverHadItsNameBefore() throws Exception {
        TableName name = created("cloned");
        admin.snapshot("saved", name);
        // The state that a server leaves if it crashes within a drop.
        served.cells()
                .records()
                .put(
                        io.polytable.table.Bytes.utf8("hbase/state/default:again"),
                        io.polytable.table.Bytes.utf8("DISABLED"));
        TableName again = TableName.valueOf("again");
        admin.cloneSnapshot("saved", again);
        assertThat(admin.isTableEnabled(again)).isTrue();
    }
}
