package io.polytable.store.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.log.disk.DiskFiles;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreDirectoryTest {
    @TempDir
    private Path directory;

    private static void write(Path log, String text) throws IOException {
        Files.createDirectories(log);
        Files.writeString(log.resolve("content"), text);
    }

    @Test
    void aLogThatWasToTakeTheFormersPlaceDoesSoWhenThatIsGone() throws IOException {
        write(StoreDirectory.nextLogOf(directory), "new");
        assertThat(StoreDirectory.presentLogOf(directory).resolve("content")).hasContent("new");
        StoreDirectory.lock(directory).close();
        assertThat(StoreDirectory.logOf(directory).resolve("content")).hasContent("new");
        assertThat(StoreDirectory.nextLogOf(directory)).doesNotExist();
    }

    @Test
    void andDoesNotAsLongAsTheFormerIsThere() throws IOException {
        write(StoreDirectory.logOf(directory), "former");
        write(StoreDirectory.nextLogOf(directory), "half of the new");
        assertThat(StoreDirectory.presentLogOf(directory)).isEqualTo(StoreDirectory.logOf(directory));
        StoreDirectory.lock(directory).close();
        assertThat(StoreDirectory.logOf(directory).resolve("content")).hasContent("former");
    }

    @Test
    void aChangeThatCannotBeFinishedDoesNotKeepTheLock() throws IOException {
        write(StoreDirectory.nextLogOf(directory), "new");
        // No directory can be renamed to it, and it leads nowhere: there is no log.
        Path log = Files.createSymbolicLink(StoreDirectory.logOf(directory), directory.resolve("nowhere"));
        assertRefused(StoreError.IO);
        Files.delete(log);
        StoreDirectory.lock(directory).close();
        assertThat(log.resolve("content")).hasContent("new");
    }

    @Test
    void theLastHolderLetsGo() {
        StoreDirectory held = StoreDirectory.lock(directory);
        held.share().close();
        assertRefused(StoreError.IN_USE);
        held.close();
        StoreDirectory.lock(directory).close();
    }

    /** POSIX releases a process' lock when the process closes any descriptor of the file. */
    @Test
    void noOtherProcessGetsInAfterARefusalOrASync() throws IOException, InterruptedException {
        Path log = directory.resolve("log");
        try (StoreDirectory held = StoreDirectory.lock(directory);
                DiskFiles files = DiskFiles.open(log)) {
            assertRefused(StoreError.IN_USE);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> DiskFiles.open(log))
                    .satisfies(refused -> assertThat(refused.error()).isEqualTo(StoreError.IN_USE));
            DiskSync.FSYNC.syncTree(held.path());
            assertThat(probed(directory.resolve("LOCK"), log.resolve("lock"))).containsExactly("refused", "refused");
            files.syncDirectory();
        }
        assertThat(probed(directory.resolve("LOCK"), log.resolve("lock"))).containsExactly("locked", "locked");
    }

    private static List<String> probed(Path... files) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LockProbe.class.getName()));
        List.of(files).forEach(file -> command.add(file.toString()));
        Process probe = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = probe.inputReader(UTF_8)) {
            return lines.lines().toList();
        } finally {
            assertThat(probe.waitFor()).isZero();
        }
    }

    @Test
    void aCrashBeforeTheFormatWasWrittenLeavesAnEmptyDirectory() throws IOException {
        Path format = Files.createFile(directory.resolve("FORMAT"));
        Files.writeString(directory.resolve("FORMAT.tmp"), "polyta");
        try (StoreDirectory held = StoreDirectory.lock(directory)) {
            assertThat(held.isMarked()).isFalse();
            held.checkFormat();
            assertThat(held.isMarked()).isTrue();
        }
        assertThat(format).hasContent("polytable-store 1");
    }

    @Test
    void dataWithAnEmptyFormatIsRefused() throws IOException {
        Files.createFile(directory.resolve("FORMAT"));
        write(StoreDirectory.logOf(directory), "log");
        try (StoreDirectory held = StoreDirectory.lock(directory)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(held::checkFormat)
                    .satisfies(refused -> assertThat(refused.error()).isEqualTo(StoreError.CORRUPT));
        }
    }

    @Test
    void aCrashBeforeTheNumberOfPartitionsWasWrittenLeavesAnEmptyDirectory() throws IOException {
        Files.createFile(directory.resolve("GROUPS"));
        assertThat(PartitionDirectories.present(directory)).isZero();
        PartitionDirectories.take(directory, 4);
        assertThat(PartitionDirectories.present(directory)).isEqualTo(4);
    }

    /** A file never appears without its content, and its content is synced before its name. */
    @Test
    void aSmallFileIsReplacedDurably() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "former");
        List<String> synced = new ArrayList<>();
        DiskSync recording = path -> synced.add(path.getFileName() + " while the file says " + Files.readString(file));
        recording.replace(file, "next");
        assertThat(synced)
                .containsExactly(
                        "file.tmp while the file says former", directory.getFileName() + " while the file says next");
    }

    private void assertRefused(StoreError error) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> StoreDirectory.lock(directory))
                .satisfies(refused -> assertThat(refused.error()).isEqualTo(error));
    }

    @Test
    void aDirectoryThatIsClearedHasNoLogInWaiting() throws IOException {
        write(StoreDirectory.logOf(directory), "former");
        write(StoreDirectory.nextLogOf(directory), "half of the new");
        try (StoreDirectory held = StoreDirectory.lock(directory)) {
            held.clear();
        }
        StoreDirectory.lock(directory).close();
        assertThat(StoreDirectory.logOf(directory)).doesNotExist();
    }
}
