package io.polytable.store;

import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.key;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineFixture;
import io.polytable.store.state.StateSalvage;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of the state are overwritten in part; a salvage brings back all but the damaged ranges. */
@Timeout(120)
class SalvageTest {
    private static final int ROWS = 2000;

    @TempDir
    private Path directory = Path.of("");

    private final Map<String, String> expected = new TreeMap<>();
    private final List<Path> damagedFiles = new ArrayList<>();

    private Engine open(String name) {
        return new EngineFixture(directory.resolve(name)).open(lazy());
    }

    private static Table table(Engine engine, String name) {
        return engine.find(spec(name).name()).orElseGet(() -> engine.create(spec(name)));
    }

    /** Overwritten, deleted and inserted rows in several files of one table, and another table. */
    private void fill(String name) throws IOException {
        Random random = new Random(7);
        try (Engine engine = open(name)) {
            put(engine, table(engine, "whole"), "w", "1");
            Table table = table(engine, "t");
            for (int generation = 0; generation < 3; generation++) {
                List<Path> before = files(name);
                for (int i = 0; i < ROWS; i++) {
                    String key = "k" + (10_000 + random.nextInt(3 * ROWS));
                    if (generation > 0 && random.nextInt(3) == 0) {
                        engine.commit(new Batch().delete(table, key(key)));
                        expected.remove(key);
                    } else {
                        String value =
                                generation + Long.toHexString(random.nextLong()).repeat(5);
                        put(engine, table, key, value);
                        expected.put(key, value);
                    }
                }
                engine.settle();
                files(name).stream()
                        .filter(path -> !before.contains(path))
                        .max((a, b) ->
                                Long.compare(a.toFile().length(), b.toFile().length()))
                        .ifPresent(damagedFiles::add);
            }
        }
    }

    /** A restored backup has a log of its own, which begins after all rows. */
    private String withoutLog() throws IOException {
        fill("data");
        try (Engine engine = open("data")) {
            Backup.Written unused = Backup.write(List.of(engine), new Backup.Request(directory.resolve("backup")));
        }
        Backup.Restored unused = Backup.restore(directory.resolve("backup"), directory.resolve("restored"));
        return "restored";
    }

    private List<Path> files(String name) throws IOException {
        Path state = directory.resolve(name).resolve("state");
        if (!Files.isDirectory(state)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(state)) {
            return all.filter(path -> path.toString().endsWith(".sst")).toList();
        }
    }

    private Path dataFile(String name, int generation) throws IOException {
        Path wanted = damagedFiles.get(generation).getFileName();
        return files(name).stream()
                .filter(file -> wanted.equals(file.getFileName()))
                .findFirst()
                .orElseThrow();
    }

    private static void damage(Path file, double where) throws IOException {
        try (FileChannel bytes = FileChannel.open(file, StandardOpenOption.WRITE)) {
            bytes.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7}), (long) (bytes.size() * where));
        }
    }

    /** Whatever is there is right; what is missing lies in a range that was reported. */
    private void assertSalvaged(String name, int lostMax) {
        int lost = 0;
        try (Engine engine = open(name)) {
            Table table = table(engine, "t");
            for (int i = 0; i < 3 * ROWS; i++) {
                String key = "k" + (10_000 + i);
                var found = get(engine, table, key);
                if (expected.containsKey(key)) {
                    lost += found.isEmpty() ? 1 : 0;
                    assertThat(found.orElse(expected.get(key))).as(key).isEqualTo(expected.get(key));
                } else {
                    assertThat(found).as("deleted: %s", key).isEmpty();
                }
            }
            assertThat(lost).isLessThanOrEqualTo(lostMax);
            assertThat(engine.findDamage()).isEmpty();
            put(engine, table, "k", "writable again").awaitDurable();
            assertThat(get(engine, table(engine, "whole"), "w")).contains("1");
        }
    }

    @Test
    void theLogBringsBackWhatItStillHas() throws IOException {
        fill("data");
        damage(dataFile("data", 2), 0.5);
        List<Salvage.Report> reports = Salvage.run(directory.resolve("data"));
        assertThat(reports).hasSize(1);
        assertThat(reports.get(0).redone()).isPositive();
        assertSalvaged("data", 0);
        assertThat(directory.resolve("data/damaged")).isNotEmptyDirectory();
        assertThat(Salvage.run(directory.resolve("data")))
                .as("nothing is damaged now")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void withoutALogOnlyTheDamagedRangeIsLost(int generation) throws IOException {
        String name = withoutLog();
        damage(dataFile(name, generation), 0.4);
        Salvage.Report report = Salvage.run(directory.resolve(name)).get(0);
        assertThat(report.tables()).singleElement().satisfies(table -> {
            assertThat(table.table()).isEqualTo("test.t");
            assertThat(table.lost()).singleElement().asString().startsWith("after the key ");
        });
        assertSalvaged(name, ROWS / 4);
    }

    /** Rows between two damaged blocks are as readable as those around them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void rowsBetweenDamagedBlocksAreSaved(int generation) throws IOException {
        String name = withoutLog();
        for (double where : new double[] {0.1, 0.4, 0.7}) {
            damage(dataFile(name, generation), where);
        }
        Salvage.Report report = Salvage.run(directory.resolve(name)).get(0);
        assertThat(report.tables())
                .singleElement()
                .satisfies(table -> assertThat(table.lost()).hasSize(3));
        // Three of about eight blocks, with the older rows of their ranges.
        assertSalvaged(name, ROWS * 3 / 4);
    }

    @Test
    void aFileThatCannotBeOpenedLosesItsRowsAlone() throws IOException {
        String name = withoutLog();
        Path file = dataFile(name, 1);
        try (FileChannel bytes = FileChannel.open(file, StandardOpenOption.WRITE)) {
            bytes.write(ByteBuffer.wrap(new byte[64]), bytes.size() - 64);
        }
        Salvage.Report report = Salvage.run(directory.resolve(name)).get(0);
        assertThat(report.tables())
                .singleElement()
                .satisfies(table -> assertThat(table.rows()).isPositive());
        assertSalvaged(name, 2 * ROWS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void randomDamage(long seed) throws IOException {
        String name = withoutLog();
        Random random = new Random(seed);
        for (int generation = 0; generation < 3; generation++) {
            if (random.nextBoolean()) {
                damage(dataFile(name, generation), 0.05 + 0.8 * random.nextDouble());
            }
        }
        List<Salvage.Report> unused = Salvage.run(directory.resolve(name));
        assertSalvaged(name, 2 * ROWS);
    }

    @Test
    void anInterruptedSalvageIsContinued() throws IOException {
        fill("data");
        damage(dataFile("data", 1), 0.5);
        try (StateSalvage killed = StateSalvage.open(directory.resolve("data"))) {
            assertThat(killed.run()).isTrue();
        }
        assertThatThrownBy(() -> open("data"))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.error()).isEqualTo(StoreError.CORRUPT))
                .hasMessageContaining("repair --salvage");
        assertThat(Salvage.run(directory.resolve("data"))).hasSize(1);
        assertSalvaged("data", 0);
    }
}
