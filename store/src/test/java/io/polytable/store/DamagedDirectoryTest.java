package io.polytable.store;

import static io.polytable.store.engine.EngineFixture.eager;
import static io.polytable.store.engine.EngineFixture.key;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineFixture;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random bytes of every file of a data directory are overwritten, one file at a time. The store shows what was written,
 * or fails with a typed error: it never shows other rows. What a salvage brings back is right as well.
 */
@Timeout(1800)
class DamagedDirectoryTest {
    private static final int ROWS = 3_000;
    private static final int ROUNDS = 2;
    private static final int ROUNDS_LONG = 40;

    @TempDir
    private Path directory = Path.of("");

    private final Map<String, String> expected = new TreeMap<>();

    @Test
    void noDamageIsSilent() throws IOException {
        damageEach(1, ROUNDS);
    }

    @Test
    @Tag("crash")
    void noDamageIsSilentInManyRounds() throws IOException {
        damageEach(System.nanoTime(), ROUNDS_LONG);
    }

    private void damageEach(long seed, int rounds) throws IOException {
        Path whole = directory.resolve("whole");
        fill(whole);
        Random random = new Random(seed);
        List<Path> files;
        try (Stream<Path> all = Files.walk(whole)) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> file.toFile().length() > 0)
                    .map(whole::relativize)
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(8);
        for (Path file : files) {
            for (int round = 0; round < rounds; round++) {
                Path copy = directory.resolve("copy");
                StoreDirectory.copyTree(whole, copy);
                overwrite(copy.resolve(file), random);
                String what = "seed " + seed + ", file " + file + ", round " + round;
                verify(copy, what);
                salvage(copy, what);
                StoreDirectory.deleteTree(copy);
            }
        }
    }

    private void fill(Path whole) {
        Random random = new Random(5);
        try (Engine engine = new EngineFixture(whole).open(eager())) {
            Table table = engine.create(spec("t"));
            for (int i = 0; i < ROWS; i++) {
                String key = "k" + random.nextInt(ROWS);
                String value = Long.toHexString(random.nextLong()).repeat(1 + random.nextInt(8));
                engine.commit(new Batch().put(table, key(key), Bytes.utf8(value)));
                expected.put(key, value);
            }
            engine.settle();
        }
        // The rest of the rows is in the log alone.
        try (Engine engine = new EngineFixture(whole).open(lazy())) {
            Table table = engine.find(spec("t").name()).orElseThrow();
            for (int i = 0; i < 50; i++) {
                engine.commit(new Batch().put(table, key("late" + i), Bytes.utf8("late")));
                expected.put("late" + i, "late");
            }
        }
    }

    private static void overwrite(Path file, Random random) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int at = random.nextInt(bytes.length);
        for (int i = at; i < Math.min(bytes.length, at + 7); i++) {
            bytes[i] ^= (byte) (1 + random.nextInt(255));
        }
        Files.write(file, bytes);
    }

    /** Every row that is shown was written, and none is missing unless an error says so. */
    private void verify(Path data, String what) {
        try (Engine engine = new EngineFixture(data).open(eager().withMemory(0, 64 << 20))) {
            Map<String, String> rows = new TreeMap<>();
            Table table = engine.find(spec("t").name()).orElseGet(() -> fail(what + ": the table is gone"));
            try (Cursor cursor = engine.scan(table, KeyRange.ALL)) {
                while (cursor.next()) {
                    rows.put(cursor.key().utf8(), cursor.value().utf8());
                }
            }
            assertThat(rows).as(what).isEqualTo(expected);
        } catch (StoreException typed) {
            assertThat(typed.getMessage()).as(what).isNotBlank();
        }
    }

    private void salvage(Path data, String what) {
        try {
            List<Salvage.Report> unused = Salvage.run(data);
            try (Engine engine = new EngineFixture(data).open(eager().withMemory(0, 64 << 20))) {
                Table table = engine.find(spec("t").name()).orElseGet(() -> fail(what + ": the table is gone"));
                try (Cursor cursor = engine.scan(table, KeyRange.ALL)) {
                    while (cursor.next()) {
                        assertThat(cursor.value().utf8())
                                .as("%s, salvaged", what)
                                .isEqualTo(expected.get(cursor.key().utf8()));
                    }
                }
            }
        } catch (StoreException typed) {
            assertThat(typed.getMessage()).as(what).isNotBlank();
        }
    }
}
