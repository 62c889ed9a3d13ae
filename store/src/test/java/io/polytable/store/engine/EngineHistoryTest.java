package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories against a tree map, with so little memory that rows keep moving between the arena and the state, and
 * generations so small that every path of the merge is taken; with restarts in between.
 */
class EngineHistoryTest {
    private static final int STEPS = 4000;
    private static final int PARTITIONS = 6;

    /** None, less than what is alive, and so much that all of it stays and moves. */
    private static final long[] MEMORY_BYTES = {0, 2 << 20, 24 << 20};

    private static final TableSpec SPEC = new TableSpec(
            new TableName("test", "rows"),
            TableKind.SHARED,
            List.of(new Column("p", ColumnType.BYTES), new Column("k", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("p")),
            List.of(KeyColumn.ascending("k")),
            TableOptions.DEFAULT);

    @TempDir
    Path directory;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("polytable.seeds", 3));
    }

    static LongStream manySeeds() {
        return LongStream.range(3, 40);
    }

    @Tag("crash")
    @ParameterizedTest
    @MethodSource("manySeeds")
    void answersAsATreeMapDoesEveryTime(long seed) {
        answersAsATreeMapDoes(seed);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsATreeMapDoes(long seed) {
        Random random = new Random(seed);
        NavigableMap<Bytes, Bytes> oracle = new TreeMap<>();
        Engine engine = open(random);
        Table table = engine.create(SPEC);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(800) == 0) {
                engine.close();
                engine = open(random);
                table = engine.find(SPEC.name()).orElseThrow();
            }
            step(random, engine, table, oracle, "seed " + seed + ", step " + step);
        }
        try (Snapshot snapshot = engine.snapshot()) {
            assertThat(all(snapshot.scan(table, KeyRange.ALL))).isEqualTo(list(oracle));
        }
        engine.close();
    }

    private Engine open(Random random) {
        EngineOptions options = EngineOptions.DEFAULT
                .withMemory(MEMORY_BYTES[random.nextInt(MEMORY_BYTES.length)], 64 << 20)
                .withGenerations(1L << (6 + random.nextInt(12)), Duration.ofMillis(random.nextInt(20)));
        return EmbeddedStore.open(directory, options, FileLogOptions.defaults().withSegmentBytes(1 << 20));
    }

    private void step(Random random, Engine engine, Table table, NavigableMap<Bytes, Bytes> oracle, String where) {
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> write(random, engine, table, oracle);
            case 4, 5 -> {
                RowKey key = key(random);
                assertThat(engine.read(table, key)).as(where).isEqualTo(Optional.ofNullable(oracle.get(key.bytes())));
            }
            case 6, 7, 8 -> scan(random, engine, table, oracle, where);
            default -> {
                if (random.nextInt(20) == 0) {
                    try (Snapshot snapshot = engine.snapshot()) {
                        List<Map.Entry<Bytes, Bytes>> before = list(oracle);
                        write(random, engine, table, oracle);
                        assertThat(all(snapshot.scan(table, KeyRange.ALL)))
                                .as(where)
                                .isEqualTo(before);
                    }
                }
                engine.flush();
            }
        }
    }

    private void write(Random random, Engine engine, Table table, NavigableMap<Bytes, Bytes> oracle) {
        Batch batch = new Batch();
        for (int i = random.nextInt(8); i >= 0; i--) {
            int what = random.nextInt(20);
            if (what == 0) {
                KeyRange range = range(random);
                batch.deleteRange(table, range);
                oracle.keySet().removeIf(range::contains);
            } else if (what < 6) {
                RowKey key = key(random);
                batch.delete(table, key);
                oracle.remove(key.bytes());
            } else {
                RowKey key = key(random);
                Bytes value = Bytes.of(new byte[random.nextInt(random.nextInt(5) == 0 ? 5000 : 50)]);
                random.nextBytes(value.array());
                batch.put(table, key, value);
                oracle.put(key.bytes(), value);
            }
        }
        engine.commit(batch);
    }

    private static RowKey key(Random random) {
        return new RowKey(Bytes.utf8("p" + random.nextInt(PARTITIONS) + "-" + random.nextInt(400)), 2);
    }

    private static KeyRange range(Random random) {
        Bytes partition = Bytes.utf8("p" + random.nextInt(PARTITIONS));
        Bytes a = key(random).bytes();
        Bytes b = key(random).bytes();
        return switch (random.nextInt(4)) {
            case 0 -> KeyRange.partition(partition);
            case 1 -> KeyRange.between(a, b);
            case 2 -> new KeyRange(Bytes.utf8(partition.utf8() + "-1"), Bytes.utf8(partition.utf8() + "-3"), 2);
            default -> KeyRange.inPartition(Bytes.utf8(partition.utf8() + "-" + random.nextInt(10)), 2);
        };
    }

    private void scan(Random random, Engine engine, Table table, NavigableMap<Bytes, Bytes> oracle, String where) {
        KeyRange range = range(random);
        Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.REVERSE;
        long limit = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(5);
        NavigableMap<Bytes, Bytes> ordered = direction == Direction.FORWARD ? oracle : oracle.descendingMap();
        List<Map.Entry<Bytes, Bytes>> expected = ordered.entrySet().stream()
                .filter(entry -> range.contains(entry.getKey()))
                .limit(limit)
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
        Cursor cursor = engine.scan(table, range, direction, limit);
        // What is written after the cursor was opened is none of its business.
        write(random, engine, table, oracle);
        assertThat(all(cursor)).as("%s, %s %s", where, range, direction).isEqualTo(expected);
    }

    private static List<Map.Entry<Bytes, Bytes>> all(Cursor cursor) {
        List<Map.Entry<Bytes, Bytes>> rows = new ArrayList<>();
        try (cursor) {
            while (cursor.next()) {
                rows.add(Map.entry(cursor.key(), cursor.value()));
            }
        }
        return rows;
    }

    private static List<Map.Entry<Bytes, Bytes>> list(NavigableMap<Bytes, Bytes> oracle) {
        return oracle.entrySet().stream()
                .map(e -> Map.entry(e.getKey(), e.getValue()))
                .toList();
    }
}
