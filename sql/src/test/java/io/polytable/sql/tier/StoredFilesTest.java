package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.tier.storage.FileStatus;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are held for a backup, and the check of files, while jobs change them. */
@Timeout(60)
class StoredFilesTest {
    @TempDir
    private Path directory = Path.of("");

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore(MemoryStore.COMMITS_KEPT, clock);
    private volatile Step.Listener listener = step -> {};
    private TierFixture sql = new TierFixture(store, Path.of(System.getProperty("java.io.tmpdir")));

    @BeforeEach
    void open() {
        sql.close();
        SqlOptions options = SqlOptions.in(directory.resolve("sql")).withSteps(step -> listener.reached(step));
        sql = new TierFixture(store, options, clock);
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT) WITH (compression = 'none')");
        sql.run("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
        sql.run("FLUSH TABLE t");
    }

    @AfterEach
    void close() {
        listener = step -> {};
        sql.close();
        store.close();
    }

    private static List<Path> paths(StoredFiles.Captured captured) {
        return captured.files().stream().map(file -> file.local().orElseThrow()).toList();
    }

    private void awaitPostponed() {
        Await.until(
                "the job waits for the backup",
                () -> sql.ask("SELECT message FROM system.jobs").contains("a backup holds the files"));
    }

    @Test
    void filesOfADroppedTableStayWhileTheyAreHeld() {
        List<Path> files;
        try (StoredFiles.Captured captured = sql.face.storedFiles().capture(() -> {})) {
            files = paths(captured);
            sql.run("DROP TABLE t");
            awaitPostponed();
            assertThat(files).hasSize(1).allSatisfy(file -> assertThat(file).exists());
        }
        Await.until("the files are deleted", () -> files.stream().noneMatch(Files::exists));
    }

    /** Dropped between the capture of the store and the look at its manifests: the captured store has the table. */
    @Test
    void filesOfATableThatIsDroppedDuringTheCaptureAreNamed() {
        try (StoredFiles.Captured captured = sql.face.storedFiles().capture(() -> sql.run("DROP TABLE t"))) {
            assertThat(paths(captured))
                    .hasSize(1)
                    .allSatisfy(file -> assertThat(file).exists());
        }
    }

    @Test
    void expiredFilesStayWhileTheyAreHeld() {
        sql.run("INSERT INTO t VALUES (3, 'c')");
        sql.run("FLUSH TABLE t");
        sql.run("COMPACT TABLE t");
        List<Path> files;
        CompletableFuture<Void> expiry;
        try (StoredFiles.Captured captured = sql.face.storedFiles().capture(() -> {})) {
            files = paths(captured);
            assertThat(files).as("those of older versions too").hasSize(3);
            assertThat(captured.listings())
                    .singleElement()
                    .satisfies(listing -> assertThat(listing.path()).isEqualTo("default/shared/t/manifest.json"));
            clock.advance(Duration.ofHours(30));
            expiry = inBackground("STORAGE EXPIRE TABLE t");
            awaitPostponed();
            assertThat(files).allSatisfy(file -> assertThat(file).exists());
        }
        expiry.join();
        assertThat(files.stream().filter(Files::exists)).hasSize(1);
    }

    private CompletableFuture<Void> inBackground(String statement) {
        return CompletableFuture.runAsync(() -> {
            try (Session other = sql.face.session("root")) {
                TierFixture.run(other, statement);
            }
        });
    }

    /** A flush whose manifest is about to be committed waits: its file is in no captured store. */
    @Test
    void aFlushDoesNotCommitDuringTheCapture() {
        CountDownLatch written = new CountDownLatch(1);
        listener = step -> {
            if (step == Step.MANIFEST_WRITTEN) {
                written.countDown();
            }
        };
        List<CompletableFuture<Void>> flush = new ArrayList<>();
        StoredFiles files = sql.face.storedFiles();
        try (StoredFiles.Captured captured = files.capture(() -> {
            sql.run("INSERT INTO t VALUES (3, 'c')");
            flush.add(inBackground("FLUSH TABLE t"));
            Await.opened(written);
        })) {
            assertThat(captured.files())
                    .singleElement()
                    .satisfies(file -> assertThat(file.manifest().version()).isEqualTo(1));
        }
        flush.forEach(CompletableFuture::join);
        try (StoredFiles.Captured after = files.capture(() -> {})) {
            assertThat(after.files()).hasSize(2);
        }
    }

    @Test
    void aCheckNamesFileAndTable() throws IOException {
        StoredFiles files = sql.face.storedFiles();
        assertThat(files.check(true)).isEqualTo(new StoredFiles.Checked(1, List.of()));
        Path file;
        try (StoredFiles.Captured captured = files.capture(() -> {})) {
            file = paths(captured).get(0);
        }
        byte[] bytes = Files.readAllBytes(file);
        byte[] changed = bytes.clone();
        changed[bytes.length / 4] ^= 1;
        Files.write(file, changed);
        assertThat(files.check(false).problems()).isEmpty();
        assertThat(files.check(true).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem).contains("default.t", "batch-", "differs from its checksum"));
        Files.write(file, new byte[bytes.length]);
        assertThat(files.check(false).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem).contains("cannot be read"));
        Files.write(file, bytes, StandardOpenOption.APPEND);
        assertThat(files.check(false).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem).contains("bytes instead of"));
        Files.delete(file);
        assertThat(files.check(false).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem).contains("is missing"));
    }

    @Test
    void filesInAnObjectStorageAreDescribed() throws IOException {
        try (MemoryS3 bucket = new MemoryS3()) {
            sql.run(bucket.definition("cloud"));
            sql.run("CREATE TABLE c (id INT PRIMARY KEY) WITH (storage_id = 'cloud')");
            sql.run("INSERT INTO c VALUES (1)");
            sql.run("FLUSH TABLE c");
            StoredFiles files = sql.face.storedFiles();
            try (StoredFiles.Captured captured = files.capture(() -> {})) {
                StoredFiles.Named remote = captured.files().stream()
                        .filter(file -> file.local().isEmpty())
                        .findFirst()
                        .orElseThrow();
                Optional<FileStatus> status = files.status(remote);
                assertThat(status.orElseThrow().bytes())
                        .isEqualTo(remote.segment().bytes());
                assertThat(status.get().etag()).isPresent();
                assertThat(status.get().version()).contains("v1");
                assertThat(captured.bases()).containsOnlyKeys("local");
            }
            assertThat(files.check(true).problems()).isEmpty();
            bucket.transit = bytes -> new byte[bytes.length];
            assertThat(files.check(true).problems()).hasSize(1);
        }
    }

    @Test
    void aStoreThatNeverFlushedHasNoFiles() {
        try (MemoryStore plain = new MemoryStore()) {
            assertThat(StoredFiles.atRest(plain, directory)).isEmpty();
            assertThat(plain.tables()).isEmpty();
        }
        try (StoredFiles files =
                StoredFiles.atRest(store, directory.resolve("sql")).orElseThrow()) {
            assertThat(files.check(true)).isEqualTo(new StoredFiles.Checked(1, List.of()));
        }
    }
}
