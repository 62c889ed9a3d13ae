package io.polytable.store.log.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.CommitLogContract;
import io.polytable.store.log.RecordBatches;
import io.polytable.store.log.disk.DiskFiles;
import io.polytable.table.StoreError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** The contract on a real disk, in files so small that everything crosses their borders. */
class FileLogTest extends CommitLogContract {
    private static final FileLogOptions OPTIONS =
            FileLogOptions.defaults().withSegmentBytes(64 << 10).withRetention(0, Duration.ZERO);

    @TempDir(factory = TempDirFactory.Standard.class)
    Path directory;

    @Override
    protected CommitLog openLog() {
        return FileLog.open(directory, OPTIONS);
    }

    @Test
    void aDirectoryHasOneLogAtATime() {
        CommitLog log = open();
        assertRefused(StoreError.IN_USE, this::open);
        log.close();
        assertThat(open().end()).isZero();
    }

    @Test
    void aDirectoryThatCannotBeMadeIsAnError() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertRefused(StoreError.IO, () -> FileLog.open(file.resolve("log"), OPTIONS));
    }

    /** Java closes a file's channel under an interrupted thread; the log lives on, and the thread stays interrupted. */
    @Test
    void anInterruptedThreadMayUseTheLog() {
        CommitLog log = open();
        for (int i = 0; i < 50; i++) {
            Thread.currentThread().interrupt();
            append(log, RecordBatches.after(log, List.of(new byte[5000])));
            assertThat(RecordBatches.read(log, log.end())).hasSize(1);
            log.sync();
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(log.synced()).isEqualTo(50);
        assertThat(RecordBatches.read(log, 1)).hasSize(50);
    }

    @Test
    void interruptsDuringWritesAreSurvived() throws InterruptedException {
        CommitLog log = open();
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 500; i++) {
                append(log, RecordBatches.after(log, List.of(new byte[2000])));
            }
        });
        writer.start();
        while (writer.isAlive()) {
            writer.interrupt();
            Thread.onSpinWait();
        }
        writer.join();
        assertThat(log.end()).isEqualTo(500);
        log.sync();
        log.close();
        assertThat(RecordBatches.read(open(), 1)).hasSize(500);
    }

    @Test
    void aLogOfLittleUseTakesLittleDisk() throws IOException {
        Path small = directory.resolve("small");
        try (FileLog log = FileLog.open(small, FileLogOptions.defaults())) {
            append(log, RecordBatches.after(log, "one"));
            log.maintain();
        }
        try (var files = Files.list(small)) {
            long bytes = files.mapToLong(file -> file.toFile().length()).sum();
            assertThat(bytes).isBetween(1L << 20, 10L << 20);
        }
    }

    @Test
    void theNextSegmentIsThereBeforeItIsNeeded() {
        FileLog log = (FileLog) open();
        append(log, RecordBatches.after(log, List.of(new byte[40 << 10])));
        log.maintain();
        assertThat(Files.exists(directory.resolve(Segment.name(2)))).isTrue();
    }

    private FaultyFiles faulty(FaultyFiles.Plan plan) throws IOException {
        return new FaultyFiles(DiskFiles.open(directory), plan);
    }

    @Test
    void anErrorWhileOpeningReleasesTheDirectory() throws IOException {
        open().close();
        FaultyFiles files = faulty((operation, name) -> {
            throw new LinkageError("broken on purpose");
        });
        assertThatThrownBy(() -> FileLog.open(files, OPTIONS)).isInstanceOf(LinkageError.class);
        assertThat(open().end()).isZero();
    }

    @Test
    void aFileThatCannotBeClosedDoesNotKeepTheDirectory() throws IOException {
        FaultyFiles files = faulty((operation, name) -> {});
        FileLog log = FileLog.open(files, OPTIONS);
        files.plan((operation, name) -> {
            if (operation == FaultyFiles.Operation.CLOSE) {
                throw new IOException("Input/output error");
            }
        });
        assertRefused(StoreError.IO, log::close);
        assertThat(open().end()).isZero();
    }
}
