package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.keys;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.Backup;
import io.polytable.store.state.DamagedFile;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Seven bytes overwritten in one file of one table. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DamagedBlockTest {
    private static final int ROWS = 2000;

    /** No row stays in memory, so that reads meet the damage. */
    private static final EngineOptions FORGETFUL = EngineFixture.eager().withMemory(0, 64 << 20);

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private Engine engine;

    @SuppressWarnings("NullAway.Init")
    private Path file;

    @BeforeEach
    void damage() throws IOException {
        try (Engine writer = open(lazy())) {
            fill(writer, writer.create(spec("whole")), "w");
            writer.settle();
            List<Path> before = files();
            Table damaged = writer.create(spec("damaged"));
            fill(writer, damaged, "d");
            writer.settle();
            file = files().stream()
                    .filter(path -> !before.contains(path))
                    .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
                    .orElseThrow();
        }
        try (FileChannel bytes = FileChannel.open(file, StandardOpenOption.WRITE)) {
            bytes.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7}), bytes.size() / 2);
        }
        engine = open(FORGETFUL);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private Engine open(EngineOptions options) {
        return new EngineFixture(directory.resolve("data")).open(options);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory.resolve("data/state"))) {
            return all.filter(path -> path.toString().endsWith(".sst")).toList();
        }
    }

    private static void fill(Engine engine, Table table, String prefix) {
        Random random = new Random(1);
        for (int i = 0; i < ROWS; i++) {
            String value = random.ints(100, ' ', '~')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            put(engine, table, key(prefix, i), value);
        }
    }

    private static String key(String prefix, int i) {
        return prefix + (10_000 + i);
    }

    private Table table(String name) {
        return engine.find(spec(name).name()).orElseThrow();
    }

    @Test
    void theFileTheTableAndTheKeysAreNamed() {
        List<DamagedFile> found = engine.findDamage();
        assertThat(found).hasSize(1);
        DamagedFile damaged = found.get(0);
        assertThat(damaged.file().getFileName()).isEqualTo(file.getFileName());
        Bytes after = damaged.after().orElseThrow();
        Bytes before = damaged.before().orElseThrow();
        assertThat(damaged.sentence())
                .isEqualTo("File " + file.getFileName() + " of table test.damaged is damaged; rows of it after the key "
                        + after + " and before the key " + before + " cannot be read");
        Table table = table("damaged");
        int lost = 0;
        for (int i = 0; i < ROWS; i++) {
            Bytes key = Bytes.utf8(key("d", i));
            boolean readable = isReadable(table, key("d", i));
            boolean named = key.compareTo(after) > 0 && key.compareTo(before) < 0;
            assertThat(readable || named).as("damaged, and not named: " + key).isTrue();
            lost += readable ? 0 : 1;
        }
        assertThat(lost).isBetween(1, ROWS / 10);
    }

    /** A flush or compaction that is still writing a file has not written its footer yet. */
    @Test
    void aFileThatIsStillBeingWrittenIsNotReported() throws IOException {
        Path unfinished = directory.resolve("data/state/999999.sst");
        Files.write(unfinished, new byte[1000]);
        try {
            assertThat(engine.findDamage())
                    .extracting(damaged -> damaged.file().getFileName())
                    .containsExactly(file.getFileName());
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private boolean isReadable(Table table, String key) {
        try {
            return get(engine, table, key).isPresent();
        } catch (StoreException e) {
            assertThat(e.error()).isEqualTo(StoreError.CORRUPT);
            return false;
        }
    }

    /** A compaction that meets the damage would end all writes to RocksDB. */
    @Test
    void theDamagedTableIsReadOnlyAndTheOthersAreWhole() {
        assertCorrupt(() -> keys(engine.scan(table("damaged"), KeyRange.ALL)));
        assertThat(engine.damagedTables()).containsExactly(spec("damaged").name());
        assertCorrupt(() -> put(engine, table("damaged"), "d", "1"));
        put(engine, table("whole"), "w", "1");
        engine.settle();
        assertThat(get(engine, table("whole"), "w")).contains("1");
        assertThat(keys(engine.scan(table("whole"), KeyRange.ALL))).hasSize(ROWS + 1);
    }

    /** A backup copies files and does not read blocks: the rows that are not damaged are in it. */
    @Test
    void aBackupHoldsTheOtherRows() {
        Path backup = directory.resolve("backup");
        Backup.write(engine, backup);
        assertThat(Files.isDirectory(backup)).isTrue();
    }

    private static void assertCorrupt(Callable<?> call) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.CORRUPT));
    }
}
