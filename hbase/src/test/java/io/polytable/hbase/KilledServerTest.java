package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL at moments that a seed picks, while clients of HBase change rows. */
class KilledServerTest {
    private static final TableName NAME = TableName.valueOf("killed");
    private static final int CLIENTS = 4;
    private static final int KILL_AFTER_STEPS_MAX = 1_500;
    private static final int STEPS_BETWEEN_KILLS = 200;
    private static final int END_SECONDS_MAX = 60;

    @Test
    void twoKills(@TempDir Path directory) throws Exception {
        mixedLoad(directory, 1, 2);
    }

    @Test
    @Tag("crash")
    void manyKills(@TempDir Path directory) throws Exception {
        mixedLoad(directory, System.nanoTime(), 25);
    }

    private static void mixedLoad(Path directory, long seed, int rounds) throws Exception {
        Random random = new Random(seed);
        List<RowLoad> loads = IntStream.range(0, CLIENTS)
                .mapToObj(client -> new RowLoad(NAME, client, seed))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (ServedProcess server = new ServedProcess(directory)) {
            create(server);
            for (int round = 0; round < rounds; round++) {
                List<Callable<Void>> running = new ArrayList<>();
                for (RowLoad load : loads) {
                    running.add(() -> {
                        load.runUntilLost(server.impatient());
                        return null;
                    });
                }
                List<Future<Void>> ends = running.stream().map(threads::submit).toList();
                // Connecting takes a while: the first kill comes when there is something to lose.
                long before = total(loads);
                awaitMore(loads, before + 20 + random.nextInt(KILL_AFTER_STEPS_MAX));
                server.kill();
                for (Future<Void> end : ends) {
                    end.get(END_SECONDS_MAX, TimeUnit.SECONDS);
                }
                server.restart();
                recover(server, loads);
            }
            assertThat(server.stopAndCheck().findings()).isEmpty();
        } catch (AssertionError failed) {
            throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
        } finally {
            threads.shutdownNow();
        }
    }

    private static long total(List<RowLoad> loads) {
        return loads.stream().mapToLong(RowLoad::acknowledgedSteps).sum();
    }

    private static void awaitMore(List<RowLoad> loads, long wanted) {
        Await.until("changes are acknowledged", () -> total(loads) >= wanted);
    }

    /** Clients that were interrupted by a restart continue. */
    private static void awaitSteps(AtomicLong steps) {
        long wanted = steps.get() + STEPS_BETWEEN_KILLS;
        Await.until("clients continue", () -> steps.get() >= wanted);
    }

    private static void recover(ServedProcess server, List<RowLoad> loads) throws Exception {
        try (Connection connection = ConnectionFactory.createConnection(server.configuration());
                Table table = connection.getTable(NAME)) {
            for (RowLoad load : loads) {
                load.recover(table);
            }
        }
    }

    private static void create(ServedProcess server) throws Exception {
        try (Connection connection = ConnectionFactory.createConnection(server.configuration());
                Admin admin = connection.getAdmin()) {
            TableDescriptor descriptor = TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(RowLoad.A))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(RowLoad.B))
                    .build();
            admin.createTable(descriptor);
        }
    }

    /** Clients that retry through a kill: every change is acknowledged in the end, and made exactly once. */
    @Test
    void whatIsRetriedThroughAKillIsDoneOnce(@TempDir Path directory) throws Exception {
        byte[] row = bytes("counter");
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong steps = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (ServedProcess server = new ServedProcess(directory)) {
            create(server);
            try (Connection connection = ConnectionFactory.createConnection(server.configuration());
                    Table table = connection.getTable(NAME)) {
                List<Future<Integer>> counts = new ArrayList<>();
                for (int client = 0; client < CLIENTS; client++) {
                    counts.add(threads.submit(() -> {
                        int done = 0;
                        while (!stop.get()) {
                            table.increment(new Increment(row).addColumn(RowLoad.A, bytes("n"), 1));
                            table.append(new Append(row).addColumn(RowLoad.B, bytes("n"), bytes(".")));
                            done++;
                            steps.incrementAndGet();
                        }
                        return done;
                    }));
                }
                for (int kill = 0; kill < 2; kill++) {
                    awaitSteps(steps);
                    server.restart();
                }
                awaitSteps(steps);
                stop.set(true);
                long total = 0;
                for (Future<Integer> count : counts) {
                    total += count.get(END_SECONDS_MAX, TimeUnit.SECONDS);
                }
                assertThat(total).isPositive();
                assertThat(Bytes.toLong(table.get(new Get(row)).getValue(RowLoad.A, bytes("n"))))
                        .isEqualTo(total);
                assertThat(table.get(new Get(row)).getValue(RowLoad.B, bytes("n")))
                        .hasSize((int) total);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
