package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.memory.ReadHistory;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The engine's seeded histories with readers that hold no stripe: one key or several at a time, beside commits, range
 * deletes, seals, applies, evictions and, after each restart, the warm-up. Nothing they are told may be stale, deleted,
 * missing, or newer than what {@link Engine#latest()} covers.
 */
class EngineReadersTest {
    private static final int ROUNDS = 2;
    private static final int MANY_ROUNDS = 6;
    private static final int STEPS = 1500;
    private static final int KEYS = 40;
    private static final int READERS = 2;

    @TempDir
    private Path directory;

    private final ReadHistory history = new ReadHistory(KEYS, MANY_ROUNDS * STEPS + 1);

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("polytable.seeds", 1));
    }

    static LongStream manySeeds() {
        return LongStream.range(1, 20);
    }

    @Tag("crash")
    @ParameterizedTest
    @MethodSource("manySeeds")
    void aReaderWithoutStripesSeesWhatWasThereEveryTime(long seed) throws Exception {
        readBesideWrites(seed, MANY_ROUNDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aReaderWithoutStripesSeesWhatWasThereWhileItRead(long seed) throws Exception {
        readBesideWrites(seed, ROUNDS);
    }

    private void readBesideWrites(long seed, int rounds) throws Exception {
        Random random = new Random(seed);
        for (int round = 0; round < rounds; round++) {
            String where = "seed " + seed + ", round " + round;
            try (Engine engine = open(random)) {
                Table table = engine.create(EngineFixture.spec("rows"));
                writeBesideReaders(random, engine, table, where);
                for (int key = 0; key < KEYS; key++) {
                    assertThat(engine.read(table, key(key)).isPresent())
                            .as("%s, key %d", where, key)
                            .isEqualTo(history.has(key));
                }
            }
        }
    }

    private Engine open(Random random) {
        EngineOptions options = EngineOptions.DEFAULT
                .withMemory(random.nextBoolean() ? 2 << 20 : 24 << 20, 64 << 20)
                .withGenerations(1L << (10 + random.nextInt(10)), Duration.ofMillis(random.nextInt(20)));
        return EmbeddedStore.open(directory, options, FileLogOptions.defaults().withSegmentBytes(4 << 20));
    }

    private void writeBesideReaders(Random random, Engine engine, Table table, String where) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(READERS);
        List<Future<?>> readers = new ArrayList<>();
        try {
            for (int i = 0; i < READERS; i++) {
                Random own = new Random(random.nextLong());
                readers.add(threads.submit(() -> readUntil(over, own, engine, table, where)));
            }
            for (int step = 0; step < STEPS && readers.stream().noneMatch(Future::isDone); step++) {
                step(random, engine, table);
            }
            over.set(true);
            for (Future<?> reader : readers) {
                reader.get(60, TimeUnit.SECONDS);
            }
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
    }

    private void step(Random random, Engine engine, Table table) {
        long position = engine.end() + 1;
        Batch batch = new Batch();
        int what = random.nextInt(200);
        if (what == 0) {
            engine.settle();
        } else if (what == 1) {
            engine.snapshot().close();
        } else if (what < 30) {
            int from = random.nextInt(KEYS);
            int to = Math.min(KEYS, from + 1 + random.nextInt(4));
            batch.deleteRange(table, KeyRange.between(key(from).bytes(), key(to).bytes()));
            for (int key = from; key < to; key++) {
                history.begin(key, false, position);
            }
        } else if (what < 50) {
            int key = random.nextInt(KEYS);
            history.begin(key, false, position);
            batch.delete(table, key(key));
        } else {
            for (int i = random.nextInt(4); i >= 0; i--) {
                int key = random.nextInt(KEYS);
                long version = history.begin(key, true, position);
                int bytes = 8 + random.nextInt(random.nextInt(8) == 0 ? 120_000 : 5_000);
                batch.put(table, key(key), ReadHistory.value(version, bytes));
            }
        }
        engine.commit(batch);
        history.end();
    }

    private void readUntil(AtomicBoolean over, Random random, Engine engine, Table table, String where) {
        while (!over.get()) {
            List<Integer> keys =
                    random.ints(1 + random.nextInt(6), 0, KEYS).boxed().toList();
            List<Long> before = keys.stream().map(history::before).toList();
            List<Optional<Bytes>> answers = keys.size() == 1
                    ? List.of(engine.read(table, key(keys.get(0))))
                    : engine.readMany(
                            table, keys.stream().map(EngineReadersTest::key).toList());
            long covered = engine.latest().position().record(0);
            for (int i = 0; i < answers.size(); i++) {
                history.check(keys.get(i), before.get(i), answers.get(i), covered, where);
            }
        }
    }

    private static RowKey key(int number) {
        return RowKey.whole(Bytes.utf8(String.format(Locale.ROOT, "%03d", number)));
    }
}
