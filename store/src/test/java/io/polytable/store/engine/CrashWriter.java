package io.polytable.store.engine;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A process that writes until it is killed. Thread t commits its n-th batch as: row (t, n mod 50) of both tables is n,
 * row (t, "last") of both is n, and now and then a range delete takes all numbered rows of the thread away first. What
 * was acknowledged is printed: "acknowledged t n".
 */
final class CrashWriter {
    static final String ACKNOWLEDGED = "acknowledged ";
    static final int THREADS = 4;
    static final List<DurabilityMode> MODES = List.of(DurabilityMode.values());
    static final int SLOTS = 50;
    static final int RANGE_DELETE_EVERY = 97;

    private CrashWriter() {}

    static EngineOptions options(Random random) {
        return EngineOptions.DEFAULT
                .withMemory(2 << 20, 64 << 20)
                .withGenerations(1L << (8 + random.nextInt(14)), Duration.ofMillis(1 + random.nextInt(100)))
                .withDurability(MODES.get(random.nextInt(MODES.size())));
    }

    static Engine open(Path directory, Random random) {
        return EmbeddedStore.open(
                directory, options(random), FileLogOptions.defaults().withSegmentBytes(1 << 18));
    }

    static RowKey key(int thread, String rest) {
        return new RowKey(Bytes.utf8(thread + ":" + rest), 2);
    }

    static Bytes number(long n) {
        return Bytes.utf8(Long.toString(n));
    }

    public static void main(String[] arguments) throws InterruptedException {
        Random random = new Random(Long.parseLong(arguments[1]));
        Engine engine = open(Path.of(arguments[0]), random);
        Table one = engine.create(EngineFixture.spec("one"));
        Table two = engine.create(EngineFixture.spec("two"));
        System.out.println("ready");
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            threads[t] = new Thread(() -> write(engine, one, two, number, System.out));
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void write(Engine engine, Table one, Table two, int thread, PrintStream acknowledged) {
        long n = engine.read(one, key(thread, "last"))
                .map(value -> Long.parseLong(value.utf8()))
                .orElse(0L);
        Batch batch = new Batch();
        while (true) {
            n++;
            batch.clear();
            for (Table table : new Table[] {one, two}) {
                if (n % RANGE_DELETE_EVERY == 0) {
                    batch.deleteRange(table, KeyRange.inPartition(Bytes.utf8(thread + ":s"), 2));
                }
                batch.put(table, key(thread, "s" + n % SLOTS), number(n));
                batch.put(table, key(thread, "last"), number(n));
            }
            engine.commit(batch).durable().toCompletableFuture().join();
            acknowledged.println(ACKNOWLEDGED + thread + " " + n);
        }
    }

    /** What a thread's slot holds after its n-th batch: absent when a range delete came after it was last written. */
    static Optional<Long> expected(long n, int slot) {
        long written = n - Math.floorMod(n - slot, SLOTS);
        long deleted = n - n % RANGE_DELETE_EVERY;
        return written > 0 && (deleted == 0 || written >= deleted) ? Optional.of(written) : Optional.empty();
    }
}
