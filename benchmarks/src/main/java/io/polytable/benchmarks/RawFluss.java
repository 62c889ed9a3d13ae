package io.polytable.benchmarks;

import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.FlussSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.types.DataTypes;

/**
 * Fluss' own client with the rows that Redis clients write through us: a key, a value of a hundred bytes. Usage:
 * RawFluss HOST:PORT ROWS. Prints a line for each mode: its name, operations per second.
 */
public final class RawFluss {
    private static final int ON_THE_WAY_MAX = 4096;
    private static final int KEYS = 1_000_000;
    private static final int ALONE = 500;

    private final FlussCluster cluster;
    private final UpsertWriter writer;
    private final Lookuper lookuper;
    private final Random random = new Random(1);
    private final byte[] value = new byte[100];

    private RawFluss(FlussCluster cluster) {
        this.cluster = cluster;
        Schema schema = Schema.newBuilder()
                .column("k", DataTypes.BYTES())
                .column("v", DataTypes.BYTES())
                .primaryKey("k")
                .build();
        TableDescriptor descriptor =
                TableDescriptor.builder().schema(schema).distributedBy(4).build();
        Table table = cluster.table(cluster.path("raw_rows"), descriptor);
        writer = table.newUpsert().createWriter();
        lookuper = table.newLookup().createLookuper();
        random.nextBytes(value);
    }

    public static void main(String[] words) {
        int rows = Integer.parseInt(words[1]);
        FlussSettings settings = FlussSettings.of(words[0]).withAnswerMax(Duration.ofMinutes(2));
        try (FlussCluster cluster = FlussCluster.open(settings)) {
            RawFluss raw = new RawFluss(cluster);
            raw.measure("warm", rows / 4, ON_THE_WAY_MAX, raw::upsert);
            raw.measure("upsert-pipelined", rows, ON_THE_WAY_MAX, raw::upsert);
            raw.measure("upsert-alone", ALONE, 1, raw::upsert);
            raw.measure("lookup-pipelined", rows, ON_THE_WAY_MAX, raw::lookup);
            raw.measure("lookup-alone", ALONE, 1, raw::lookup);
        }
    }

    private interface Asking {
        CompletableFuture<?> ask();
    }

    private CompletableFuture<?> upsert() {
        return writer.upsert(GenericRow.of(key(), value));
    }

    private CompletableFuture<?> lookup() {
        return lookuper.lookup(GenericRow.of((Object) key()));
    }

    private byte[] key() {
        return Keys.bytes(random.nextInt(KEYS));
    }

    private void measure(String name, int times, int onTheWayMax, Asking asking) {
        Deque<CompletableFuture<?>> onTheWay = new ArrayDeque<>();
        long begun = System.nanoTime();
        for (int i = 0; i < times; i++) {
            onTheWay.addLast(asking.ask());
            if (onTheWay.size() >= onTheWayMax) {
                cluster.await(onTheWay.removeFirst());
            }
        }
        while (!onTheWay.isEmpty()) {
            cluster.await(onTheWay.removeFirst());
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf("%s %.0f%n", name, times / seconds);
    }
}
