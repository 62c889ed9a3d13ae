package io.polytable.store;

import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.backup.AttachedFile;
import io.polytable.store.backup.Attachments;
import io.polytable.store.backup.BackupFiles;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineFixture;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The list of a backup's files: what it shares with an earlier one, and what a restore verifies. */
@Timeout(60)
class BackupFilesTest {
    private static final String PARQUET = "shop/shared/item/batch-1.parquet";

    @TempDir
    private Path directory = Path.of("");

    private Optional<Engine> engine = Optional.empty();

    @BeforeEach
    void open() {
        engine = Optional.of(new EngineFixture(directory.resolve("data")).open(lazy()));
        put(engine(), engine().create(spec("t")), "k", "v");
    }

    @AfterEach
    void close() {
        engine.ifPresent(Engine::close);
    }

    private Engine engine() {
        return engine.orElseThrow();
    }

    private Path path(String name) {
        return directory.resolve(name);
    }

    private Backup.Written write(String name, Optional<Path> previous, Attachments attachments) {
        return Backup.write(List.of(engine()), new Backup.Request(path(name), previous, attachments));
    }

    /** The files of a storage {@code archive}, which is outside the data directory. */
    private Attachments attached(AttachedFile... files) {
        return capture -> {
            capture.run();
            return new Attachments.Held() {
                @Override
                public List<AttachedFile> files() {
                    return List.of(files);
                }

                @Override
                public Map<String, Path> bases() {
                    return Map.of("archive", path("archive"));
                }

                @Override
                public void close() {
                    // Nothing is held.
                }
            };
        };
    }

    private AttachedFile parquet(String content) throws IOException {
        Path file = path("archive").resolve(PARQUET);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return new AttachedFile(
                "archive", PARQUET, content.length(), Optional.empty(), new AttachedFile.Source.Local(file));
    }

    private void assertRestored(Path target) {
        Engine again = new EngineFixture(target).open(lazy());
        assertThat(get(again, again.find(spec("t").name()).orElseThrow(), "k")).contains("v");
        again.close();
    }

    private static void refused(StoreError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.error()).isEqualTo(error));
    }

    private Path sst(String backup) throws IOException {
        try (Stream<Path> files = Files.list(path(backup).resolve("state"))) {
            return files.filter(file -> file.toString().endsWith(".sst"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        // A new file: a hard link would damage the store as well.
        Files.delete(file);
        Files.write(file, bytes, StandardOpenOption.CREATE_NEW);
    }

    @Test
    void aLaterBackupSharesWhatDidNotChange() throws IOException {
        Backup.Written first = write("first", Optional.empty(), attached(parquet("rows")));
        assertThat(first.shared()).isZero();
        // As if it had been copied from another disk: other files with the same bytes.
        Path copied = path("copied");
        try (Stream<Path> all = Files.walk(path("first"))) {
            for (Path each : all.toList()) {
                Files.copy(each, copied.resolve(path("first").relativize(each).toString()));
            }
        }
        put(engine(), engine().find(spec("t").name()).orElseThrow(), "more", "w");
        Backup.Written second = write("second", Optional.of(copied), attached(parquet("rows")));
        assertThat(second.shared()).isPositive().isLessThan(second.files());
        Path name = path("first").relativize(sst("first"));
        assertThat(Files.isSameFile(path("second").resolve(name), copied.resolve(name)))
                .isTrue();
        assertThat(Files.isSameFile(
                        path("second").resolve("files/archive/" + PARQUET), copied.resolve("files/archive/" + PARQUET)))
                .isTrue();
        StoreDirectory.deleteTree(path("first"));
        StoreDirectory.deleteTree(copied);
        assertThat(Backup.verify(path("second"))).isEmpty();
        Backup.restore(path("second"), path("restored"));
        assertRestored(path("restored"));
    }

    /** A number of a file is used again by a store that was restored from an older backup. */
    @Test
    void aFileOfTheSameNameAndLengthIsNotTakenForTheSame() throws IOException {
        write("first", Optional.empty(), attached(parquet("rows")));
        Files.delete(path("archive").resolve(PARQUET));
        Backup.Written second = write("second", Optional.of(path("first")), attached(parquet("ROWS")));
        assertThat(second.files()).isPositive();
        assertThat(path("second").resolve("files/archive/" + PARQUET)).hasContent("ROWS");
    }

    @Test
    void anotherDirectoryIsNoPreviousBackup() {
        refused(StoreError.IO, () -> write("second", Optional.of(path("absent")), Attachments.NONE));
        assertThat(path("second.unfinished")).doesNotExist();
    }

    @Test
    void verifyNamesWhatIsDamagedOrMissing() throws IOException {
        write("backup", Optional.empty(), attached(parquet("rows")));
        assertThat(Backup.verify(path("backup"))).isEmpty();
        damage(path("backup").resolve("files/archive/" + PARQUET));
        Path lost = sst("backup");
        Files.delete(lost);
        assertThat(Backup.verify(path("backup")))
                .containsExactlyInAnyOrder(
                        "files/archive/" + PARQUET + " differs from its checksum",
                        "state/" + lost.getFileName() + " is missing");
    }

    @Test
    void aDamagedBackupIsNotRestored() throws IOException {
        write("backup", Optional.empty(), attached(parquet("rows")));
        Files.delete(path("archive").resolve(PARQUET));
        damage(sst("backup"));
        refused(StoreError.CORRUPT, () -> Backup.restore(path("backup"), path("restored")));
        assertThat(path("archive").resolve(PARQUET)).as("undone").doesNotExist();
        assertThat(path("restored/state")).doesNotExist();
        write("another", Optional.empty(), Attachments.NONE);
        Backup.restore(path("another"), path("restored"));
        assertRestored(path("restored"));
    }

    @Test
    void aDamagedOrLostListIsNoticed() throws IOException {
        write("backup", Optional.empty(), Attachments.NONE);
        Path list = path("backup").resolve("FILES");
        String text = Files.readString(list);
        Files.writeString(list, text.replaceFirst("file \\d+", "file 1"));
        refused(StoreError.CORRUPT, () -> Backup.verify(path("backup")));
        Files.writeString(list, text.substring(0, text.length() - 10));
        refused(StoreError.CORRUPT, () -> Backup.restore(path("backup"), path("restored")));
        Files.delete(list);
        refused(StoreError.CORRUPT, () -> Backup.restore(path("backup"), path("restored")));
    }

    /** Version 0.1 wrote neither a list nor a format. */
    @Test
    void aBackupOfTheFirstFormatIsRestored() throws IOException {
        write("backup", Optional.empty(), Attachments.NONE);
        Files.delete(path("backup").resolve("FILES"));
        Path manifest = path("backup").resolve("BACKUP");
        List<String> lines = Files.readAllLines(manifest);
        Files.write(manifest, lines.subList(0, 2));
        Backup.Restored restored = Backup.restore(path("backup"), path("restored"));
        assertThat(restored.isListed()).isFalse();
        assertRestored(path("restored"));
        Files.write(manifest, List.of(lines.get(0), lines.get(1), "format=3"));
        refused(StoreError.NEWER_FORMAT, () -> Backup.restore(path("backup"), path("other")));
    }

    @Test
    void filesOfStoragesGoBackToTheirPlaceAndOverwriteNothing() throws IOException {
        AttachedFile text = new AttachedFile(
                "archive", "shop/manifest 100%.json", 2, Optional.empty(), new AttachedFile.Source.Text("{}"));
        write("backup", Optional.empty(), attached(parquet("rows"), text));
        Path file = path("archive").resolve(PARQUET);
        assertThat(Backup.restore(path("backup"), path("one")).attached()).isEqualTo(2);
        assertThat(path("archive/shop/manifest 100%.json")).hasContent("{}");
        Files.delete(file);
        assertThat(Backup.restore(path("backup"), path("two")).attached()).isEqualTo(2);
        assertThat(file).hasContent("rows");
        Files.delete(file);
        Files.writeString(file, "mine");
        refused(StoreError.IO, () -> Backup.restore(path("backup"), path("three")));
        assertThat(file).hasContent("mine");
        Map<String, Path> elsewhere = Map.of("archive", path("elsewhere"));
        Backup.restore(path("backup"), path("four"), elsewhere);
        assertThat(path("elsewhere").resolve(PARQUET)).hasContent("rows");
        refused(StoreError.IO, () -> Backup.restore(path("backup"), path("five"), elsewhere));
    }

    @Test
    void aFileThatTheDataNamesAndThatIsMissingFailsTheBackup() throws IOException {
        AttachedFile file = parquet("rows");
        Files.delete(path("archive").resolve(PARQUET));
        refused(StoreError.CORRUPT, () -> write("backup", Optional.empty(), attached(file)));
        assertThat(path("backup.unfinished")).doesNotExist();
    }

    @Test
    void filesInObjectStoragesAreNamed() {
        AttachedFile remote = new AttachedFile(
                "cloud",
                PARQUET,
                7,
                Optional.of("abc"),
                new AttachedFile.Source.Remote(Optional.of("\"e tag\""), Optional.empty(), Optional.of("no answer")));
        Backup.Written written = write("backup", Optional.empty(), attached(remote));
        assertThat(written.problems()).containsExactly("no answer");
        assertThat(Backup.restore(path("backup"), path("restored")).remotes())
                .containsExactly(new BackupFiles.Remote(
                        "cloud", PARQUET, 7, Optional.of("abc"), Optional.of("\"e tag\""), Optional.empty()));
    }

    @Test
    void aListThatLeavesTheBackupIsRefused() throws IOException {
        write("backup", Optional.empty(), Attachments.NONE);
        BackupFiles files = BackupFiles.read(path("backup")).orElseThrow();
        files.add(new BackupFiles.Entry("state/../../stolen", 1, "00"));
        files.write(path("backup"));
        refused(StoreError.CORRUPT, () -> Backup.restore(path("backup"), path("restored")));
    }

    @Test
    void restoredFilesAreReadableByTheirOwnerAlone() throws IOException {
        write("backup", Optional.empty(), attached(parquet("rows")));
        Path file = path("archive").resolve(PARQUET);
        Files.delete(file);
        Backup.restore(path("backup"), path("restored"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }
}
