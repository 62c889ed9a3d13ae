package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.EmbeddedStore;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories with several snapshots and cursors open at a time, each beside a copy of what it must show, looked at in
 * any order, while rows are sealed, applied, evicted and deleted by ranges.
 */
class SnapshotHistoryTest {
    private static final int STEPS = 1500;
    private static final int OPEN_MAX = 6;
    private static final long[] MEMORY_BYTES = {0, 2 << 20, 24 << 20};

    @TempDir
    Path directory;

    private final List<Open> open = new ArrayList<>();
    private final NavigableMap<Bytes, Bytes> now = new TreeMap<>();

    /** A snapshot, a cursor half way through it, and what both must show. */
    private record Open(Snapshot snapshot, Cursor cursor, NavigableMap<Bytes, Bytes> expected, List<Bytes> seen) {}

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("polytable.seeds", 8));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachShowsItsMoment(long seed) {
        Random random = new Random(seed);
        EngineOptions options = EngineOptions.DEFAULT
                .withMemory(MEMORY_BYTES[random.nextInt(MEMORY_BYTES.length)], 64 << 20)
                .withGenerations(1L << (8 + random.nextInt(10)), Duration.ofMillis(random.nextInt(20)));
        try (Engine engine = EmbeddedStore.open(directory, options, EngineFixture.LOG)) {
            Table table = engine.create(EngineFixture.spec("t"));
            for (int step = 0; step < STEPS; step++) {
                step(random, engine, table, "seed " + seed + ", step " + step);
            }
            while (!open.isEmpty()) {
                finish(random, "seed " + seed + ", at the end");
            }
        }
    }

    private void step(Random random, Engine engine, Table table, String where) {
        switch (random.nextInt(12)) {
            case 0 -> {
                if (open.size() < OPEN_MAX) {
                    open(engine, table);
                }
            }
            case 1, 2, 3 -> look(random, table, where);
            case 4 -> {
                if (random.nextInt(4) == 0) {
                    finish(random, where);
                }
            }
            case 5 -> {
                if (random.nextInt(20) == 0) {
                    engine.settle();
                }
            }
            default -> write(random, engine, table);
        }
    }

    private void open(Engine engine, Table table) {
        Snapshot snapshot = engine.snapshot();
        Cursor cursor = snapshot.scan(table, KeyRange.ALL);
        open.add(new Open(snapshot, cursor, new TreeMap<>(now), new ArrayList<>()));
    }

    private void look(Random random, Table table, String where) {
        if (open.isEmpty()) {
            return;
        }
        Open one = open.get(random.nextInt(open.size()));
        switch (random.nextInt(4)) {
            case 0 -> {
                boolean forward = random.nextBoolean();
                Cursor all = one.snapshot()
                        .scan(table, KeyRange.ALL, forward ? Direction.FORWARD : Direction.REVERSE, Long.MAX_VALUE);
                assertThat(rows(all))
                        .as(where)
                        .isEqualTo(
                                rows(forward ? one.expected() : one.expected().descendingMap()));
            }
            case 1 -> {
                RowKey key = key(random);
                assertThat(one.snapshot().read(table, key))
                        .as(where)
                        .isEqualTo(Optional.ofNullable(one.expected().get(key.bytes())));
            }
            default -> walk(one, random.nextInt(30));
        }
    }

    private static void walk(Open one, int most) {
        for (int i = 0; i < most && one.cursor().next(); i++) {
            assertThat(one.cursor().value())
                    .isEqualTo(one.expected().get(one.cursor().key()));
            one.seen().add(one.cursor().key().copy());
        }
    }

    private void finish(Random random, String where) {
        if (open.isEmpty()) {
            return;
        }
        Open one = open.remove(random.nextInt(open.size()));
        if (random.nextBoolean()) {
            // A cursor continues when its snapshot is closed.
            one.snapshot().close();
        }
        walk(one, Integer.MAX_VALUE);
        assertThat(one.seen()).as(where).isEqualTo(List.copyOf(one.expected().keySet()));
        one.cursor().close();
        one.snapshot().close();
    }

    private void write(Random random, Engine engine, Table table) {
        Batch batch = new Batch();
        for (int i = random.nextInt(6); i >= 0; i--) {
            RowKey key = key(random);
            int what = random.nextInt(20);
            if (what == 0) {
                KeyRange range = KeyRange.between(key.bytes(), key(random).bytes());
                batch.deleteRange(table, range);
                now.keySet().removeIf(range::contains);
            } else if (what < 6) {
                batch.delete(table, key);
                now.remove(key.bytes());
            } else {
                Bytes value = Bytes.of(new byte[random.nextInt(random.nextInt(5) == 0 ? 5000 : 50)]);
                random.nextBytes(value.array());
                batch.put(table, key, value);
                now.put(key.bytes(), value);
            }
        }
        engine.commit(batch);
    }

    private static RowKey key(Random random) {
        return new RowKey(Bytes.utf8("p" + random.nextInt(6) + "-" + random.nextInt(60)), 2);
    }

    private static List<Map.Entry<Bytes, Bytes>> rows(Cursor cursor) {
        List<Map.Entry<Bytes, Bytes>> rows = new ArrayList<>();
        try (cursor) {
            while (cursor.next()) {
                rows.add(Map.entry(cursor.key().copy(), cursor.value().copy()));
            }
        }
        return rows;
    }

    private static List<Map.Entry<Bytes, Bytes>> rows(NavigableMap<Bytes, Bytes> expected) {
        return expected.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
    }
}
