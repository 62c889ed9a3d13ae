package io.polytable.store;

import static io.polytable.store.engine.EngineFixture.eager;
import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.polytable.store.directory.DiskSync;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineFixture;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** A backup or restore that was said to be whole is whole after a power loss, and nobody else's to read. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BackupTest {
    private static final int BACKUPS = 4;
    private static final int ROWS = 200;
    private static final int WRITERS = 2;

    /** A commit of so large values is more than what goes into the state in one piece. */
    private static final String PADDING = ".".repeat(16 << 10);

    @TempDir(factory = TempDirFactory.Standard.class)
    Path directory;

    /** Writes down what was brought to the disk. */
    private final List<Path> synced = Collections.synchronizedList(new ArrayList<>());

    private void record(Path path) throws IOException {
        DiskSync.FSYNC.sync(path);
        synced.add(path);
    }

    @Test
    void everyFileAndEveryNameReachesTheDisk() throws IOException {
        Path backup = directory.resolve("backup");
        Path restored = directory.resolve("restored");
        Engine engine = new EngineFixture(directory.resolve("data")).open(lazy());
        put(engine, engine.create(spec("t")), "k", "v");
        Backup.write(engine, backup, this::record);
        engine.close();
        Path unfinished = directory.resolve("backup.unfinished");
        assertThat(synced).containsAll(everythingIn(backup, unfinished)).endsWith(directory);
        synced.clear();
        try (StoreDirectory target = StoreDirectory.lock(restored)) {
            Backup.Contents contents = Backup.restore(backup, target, Backup::beginFiles, this::record);
            assertThat(contents.position()).isPositive();
        }
        List<Path> all = everythingIn(restored, restored);
        all.remove(restored.resolve("FORMAT")); // written last, and synced by who writes it
        all.remove(restored.resolve("LOCK")); // empty, and opening it would release the lock
        assertThat(synced).containsAll(all).endsWith(directory);
        Engine again = new EngineFixture(restored).open(lazy());
        Table same = again.find(spec("t").name()).orElseThrow();
        assertThat(get(again, same, "k")).contains("v");
        again.close();
    }

    /** All that is in a directory now, under the name that it had before. */
    private static List<Path> everythingIn(Path now, Path before) throws IOException {
        try (Stream<Path> all = Files.walk(now)) {
            return new ArrayList<>(
                    all.map(path -> before.resolve(now.relativize(path))).toList());
        }
    }

    @Test
    void directoriesAreReadableByTheirOwnerAlone() throws IOException {
        Path data = directory.resolve("new/data");
        Engine engine = new EngineFixture(data).open(lazy());
        Backup.write(engine, directory.resolve("backups/monday"));
        engine.close();
        for (String created : List.of("new", "new/data", "backups", "backups/monday")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(created))))
                    .as(created)
                    .isEqualTo("rwx------");
        }
    }

    /** On a disk that is full, for instance: the next attempt must find the place as the first one did. */
    @Test
    void aBackupThatFailedLeavesNothingBehind() {
        Path backup = directory.resolve("backup");
        Engine engine = new EngineFixture(directory.resolve("data")).open(lazy());
        put(engine, engine.create(spec("t")), "k", "v");
        DiskSync full = path -> {
            throw new IOException("No space left on device");
        };
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Backup.write(engine, backup, full))
                .withMessageContaining("Cannot write the backup");
        assertThat(directory.resolve("backup.unfinished")).doesNotExist();
        Backup.Contents contents = Backup.write(engine, backup);
        assertThat(contents.position()).isPositive();
        assertThat(backup).exists();
        engine.close();
    }

    /** Each commit writes the same to many rows: a backup has all of them or none, and is as far as it says. */
    @Test
    void aBackupBesideAWriterHoldsWholeCommits() throws Exception {
        Engine engine = new EngineFixture(directory.resolve("data")).open(eager());
        Table table = engine.create(spec("t"));
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int i = 0; !stopped.get(); i++) {
                putAll(engine, table, "value " + i);
            }
        });
        for (int i = 0; i < BACKUPS; i++) {
            Backup.Contents unused = Backup.write(engine, directory.resolve("backup" + i));
        }
        stopped.set(true);
        writer.get();
        engine.close();
        for (int i = 0; i < BACKUPS; i++) {
            Path restored = directory.resolve("restored" + i);
            Backup.restore(directory.resolve("backup" + i), restored);
            Engine again = new EngineFixture(restored).open(lazy());
            assertThat(valuesIn(again)).hasSizeLessThanOrEqualTo(1);
            again.close();
        }
    }

    @Test
    void backupsTakenAtOnceDoNotMeet() {
        Engine engine = new EngineFixture(directory.resolve("data")).open(eager());
        put(engine, engine.create(spec("t")), "k", "v");
        IntStream.range(0, BACKUPS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    Backup.Contents unused = Backup.write(engine, directory.resolve("backup" + i));
                }))
                .toList()
                .forEach(CompletableFuture::join);
        engine.close();
        for (int i = 0; i < BACKUPS; i++) {
            Path restored = directory.resolve("restored" + i);
            Backup.restore(directory.resolve("backup" + i), restored);
            Engine again = new EngineFixture(restored).open(lazy());
            assertThat(get(again, again.find(spec("t").name()).orElseThrow(), "k"))
                    .contains("v");
            again.close();
        }
    }

    /** Where the system has a file system in memory, which is no place for hard links to a disk. */
    @Test
    void aBackupMayGoToAnotherDisk() throws IOException {
        Path elsewhere = Path.of("/dev/shm");
        assumeThat(elsewhere).isWritable();
        assumeThat(Files.getFileStore(elsewhere)).isNotEqualTo(Files.getFileStore(directory));
        Path target = Files.createTempDirectory(elsewhere, "polytable").resolve("backup");
        try {
            Engine engine = new EngineFixture(directory.resolve("data")).open(lazy());
            put(engine, engine.create(spec("t")), "k", "v");
            Backup.Contents unused = Backup.write(engine, target);
            assertThat(directory.resolve("data/image.tmp")).isEmptyDirectory();
            engine.close();
            Backup.restore(target, directory.resolve("restored"));
        } finally {
            StoreDirectory.deleteTree(parentOf(target));
        }
        Engine again = new EngineFixture(directory.resolve("restored")).open(lazy());
        assertThat(get(again, again.find(spec("t").name()).orElseThrow(), "k")).contains("v");
        again.close();
    }

    private static Path parentOf(Path path) {
        return Optional.ofNullable(path.getParent()).orElseThrow();
    }

    /** Its hard links would keep files of the state that are long superseded. */
    @Test
    void anImageThatACrashLeftIsDeleted() throws IOException {
        new EngineFixture(directory).open(lazy()).close();
        Files.createDirectory(directory.resolve("image.tmp"));
        Files.writeString(directory.resolve("image.tmp/000012.sst"), "left");
        new EngineFixture(directory).open(lazy()).close();
        assertThat(directory.resolve("image.tmp")).doesNotExist();
    }

    private static void putAll(Engine engine, Table table, String value) {
        Batch batch = new Batch();
        for (int row = 0; row < ROWS; row++) {
            batch.put(table, EngineFixture.key("k" + row), Bytes.utf8(value + PADDING));
        }
        engine.commit(batch);
        engine.flush();
    }

    private static Set<String> valuesIn(Engine engine) {
        Table table = engine.find(spec("t").name()).orElseThrow();
        Set<String> values = new HashSet<>();
        for (int row = 0; row < ROWS; row++) {
            values.add(get(engine, table, "k" + row).orElse("none"));
        }
        return values;
    }

    /** Whoever comes second is refused, and leaves alone what the first one has written so far. */
    @Test
    void twoBackupsToOneTargetDoNotDisturbEachOther() throws Exception {
        Engine engine = new EngineFixture(directory.resolve("data")).open(lazy());
        put(engine, engine.create(spec("t")), "k", "v");
        for (int round = 0; round < BACKUPS; round++) {
            Path backup = directory.resolve("backup" + round);
            CyclicBarrier together = new CyclicBarrier(WRITERS);
            List<CompletableFuture<Boolean>> attempts = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                attempts.add(CompletableFuture.supplyAsync(() -> writes(engine, backup, together)));
            }
            long whole = attempts.stream().filter(CompletableFuture::join).count();
            assertThat(whole).isEqualTo(1);
            Backup.restore(backup, directory.resolve("restored" + round));
        }
        engine.close();
    }

    private static boolean writes(Engine engine, Path backup, CyclicBarrier together) {
        try {
            int unusedOrder = together.await();
            Backup.Contents unused = Backup.write(engine, backup);
            return true;
        } catch (StoreException refused) {
            return false;
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aBackupThatWasInterruptedIsNamedAsWhatIsInTheWay() throws IOException {
        Engine engine = new EngineFixture(directory.resolve("data")).open(lazy());
        Files.createDirectory(directory.resolve("backup.unfinished"));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Backup.write(engine, directory.resolve("backup")))
                .withMessageContaining("backup.unfinished");
        assertThat(directory.resolve("backup.unfinished")).exists();
        engine.close();
    }
}
