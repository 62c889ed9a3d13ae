package io.polytable.store;

import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.directory.DiskSync;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineFixture;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A backup or restore that was said to be whole is whole after a power loss, and nobody else's to read. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BackupTest {
    @TempDir
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
