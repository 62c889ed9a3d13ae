package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scans pass over what a range delete hides in one step, in memory and in the state, and lose no row that is newer. */
class HiddenStretchTest {
    private static final int KEYS = 3000;

    @TempDir
    Path directory;

    private final NavigableMap<Bytes, Bytes> oracle = new TreeMap<>();

    private static Bytes key(int number) {
        return Bytes.of(new byte[] {1, (byte) (number >> 8), (byte) number});
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, true", "3, false", "4, true", "5, true"})
    void nothingNewerIsPassedOver(long seed, boolean restart) {
        Random random = new Random(seed);
        EngineFixture fixture = new EngineFixture(directory.resolve("data"));
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        put(engine, table, random, KEYS);
        if (restart) {
            // What was replayed is in the state beneath.
            engine.close();
            engine = fixture.open(lazy());
            table = engine.find(spec("t").name()).orElseThrow();
        }
        for (int round = 0; round < 6; round++) {
            int from = random.nextInt(KEYS / 2);
            deleteRange(engine, table, key(from), round == 3 ? Bytes.EMPTY : key(from + random.nextInt(KEYS)));
            put(engine, table, random, round * 20);
            assertSame(engine, table, random, seed);
            try (Snapshot snapshot = engine.snapshot()) {
                NavigableMap<Bytes, Bytes> before = new TreeMap<>(oracle);
                deleteRange(engine, table, Bytes.EMPTY, Bytes.EMPTY);
                put(engine, table, random, 30);
                assertThat(scanned(snapshot, table, KeyRange.ALL, Direction.FORWARD))
                        .as("seed %d, round %d", seed, round)
                        .containsExactlyElementsOf(before.keySet());
            }
            assertSame(engine, table, random, seed);
            put(engine, table, random, KEYS / 2);
        }
        engine.close();
    }

    private void put(Engine engine, Table table, Random random, int count) {
        Batch batch = new Batch();
        for (int i = 0; i < count; i++) {
            Bytes key = key(count == KEYS ? i : random.nextInt(KEYS));
            Bytes value = Bytes.utf8("v" + random.nextInt());
            batch.put(table, new RowKey(key, 1), value);
            oracle.put(key, value);
        }
        if (!batch.isEmpty()) {
            engine.commit(batch);
        }
    }

    private void deleteRange(Engine engine, Table table, Bytes from, Bytes to) {
        KeyRange range = KeyRange.between(from, to);
        engine.commit(new Batch().deleteRange(table, range));
        oracle.keySet().removeIf(range::contains);
    }

    private void assertSame(Engine engine, Table table, Random random, long seed) {
        List<Bytes> backward = new ArrayList<>(oracle.descendingKeySet());
        assertThat(scanned(engine, table, KeyRange.ALL, Direction.FORWARD))
                .as("seed %d", seed)
                .containsExactlyElementsOf(oracle.keySet());
        assertThat(scanned(engine, table, KeyRange.ALL, Direction.REVERSE))
                .as("seed %d", seed)
                .containsExactlyElementsOf(backward);
        Bytes target = key(random.nextInt(KEYS));
        try (Cursor cursor = engine.scan(table, KeyRange.ALL)) {
            Bytes expected = oracle.ceilingKey(target);
            assertThat(cursor.seek(target)).isEqualTo(expected != null);
            if (expected != null) {
                assertThat(cursor.key()).isEqualTo(expected);
            }
        }
    }

    private static List<Bytes> scanned(Reader reader, Table table, KeyRange range, Direction direction) {
        List<Bytes> found = new ArrayList<>();
        try (Cursor cursor = reader.scan(table, range, direction, Long.MAX_VALUE)) {
            while (cursor.next()) {
                found.add(cursor.key());
            }
        }
        return found;
    }
}
