package io.polytable.store.log.file;

import static io.polytable.store.log.CommitLogContract.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.RecordBatches;
import io.polytable.store.log.file.FaultyFiles.Operation;
import io.polytable.table.StoreError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the log does when the file system fails it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FaultsTest {
    private static final FaultyFiles.Plan NO_FAULTS = (operation, name) -> {};

    private final MemoryFiles memory = new MemoryFiles();
    private final FaultyFiles files = new FaultyFiles(memory, NO_FAULTS);

    private FileLog open() {
        return FileLog.open(files, LogImage.OPTIONS);
    }

    private static FaultyFiles.Plan failing(Operation failing) {
        return (operation, name) -> {
            if (operation == failing) {
                throw new IOException("Input/output error");
            }
        };
    }

    private static void append(FileLog log, int bytes) {
        log.append(RecordBatches.after(log, List.of(new byte[bytes])));
    }

    @Test
    void aBatchIsOneWrite() {
        FileLog log = open();
        append(log, 100);
        int before = files.count(Operation.WRITE);
        for (int i = 0; i < 20; i++) {
            append(log, 60);
        }
        assertThat(files.count(Operation.WRITE) - before).isEqualTo(20);
    }

    @Test
    void aFailedWriteEndsTheLog() {
        FileLog log = open();
        append(log, 100);
        log.sync();
        append(log, 100);
        files.plan(failing(Operation.WRITE));
        assertRefused(StoreError.FAILED, () -> append(log, 100));
        files.plan(NO_FAULTS);
        assertRefused(StoreError.FAILED, () -> append(log, 100));
        assertRefused(StoreError.FAILED, () -> log.reserve(1));
        assertRefused(StoreError.FAILED, log::sync);
        assertThat(log.acknowledged()).isEqualTo(2);
        assertThat(RecordBatches.read(log, 1)).hasSize(2);
        log.close();
        assertThat(open().end()).isEqualTo(2);
    }

    @Test
    void aFailedSyncIsNeverTriedAgain() {
        FileLog log = open();
        append(log, 100);
        files.plan(failing(Operation.FORCE));
        assertRefused(StoreError.FAILED, log::sync);
        int forces = files.count(Operation.FORCE);
        files.plan(NO_FAULTS);
        assertRefused(StoreError.FAILED, log::sync);
        assertRefused(StoreError.FAILED, () -> append(log, 100));
        log.close();
        assertThat(files.count(Operation.FORCE)).isEqualTo(forces);
        assertThat(log.synced()).isZero();
    }

    /** After a failed sync the pages look clean; only bytes written again get to the disk with the next one. */
    @Test
    void whatAFailedSyncLeftIsWrittenAgainWhenTheLogIsOpened() throws IOException {
        FileLog log = open();
        append(log, 100);
        List<String> written = new ArrayList<>();
        FaultyFiles again = new FaultyFiles(memory.copy(), (operation, name) -> {
            if (operation == Operation.WRITE) {
                written.add(name);
            }
        });
        assertThat(FileLog.open(again, LogImage.OPTIONS).synced()).isEqualTo(1);
        assertThat(written).contains(Segment.name(1));
    }

    @Test
    void shortWritesAreFinished() {
        Random random = new Random(5);
        files.plan(new FaultyFiles.Plan() {
            @Override
            public void before(Operation operation, String name) {}

            @Override
            public int taken(int bytes) {
                return 1 + random.nextInt(bytes);
            }
        });
        FileLog log = open();
        List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            List<byte[]> records = RecordBatches.random(random, 4, 500);
            log.append(RecordBatches.after(log, records));
            expected.addAll(records);
        }
        log.close();
        RecordBatches.requireSame("reopened", RecordBatches.read(open(), 1), expected);
    }

    @Test
    void aMarkThatCannotBeWrittenDoesNotMatter() {
        FileLog log = open();
        append(log, 100);
        files.plan((operation, name) -> {
            if (operation == Operation.WRITE && name.equals(ControlFile.NAME)) {
                throw new IOException("Input/output error");
            }
        });
        log.sync();
        append(log, 100);
        log.sync();
        assertThat(log.synced()).isEqualTo(2);
    }

    @Test
    void aLogThatCannotBeClosedCleanlySaysSo() {
        FileLog log = open();
        append(log, 100);
        files.plan(failing(Operation.FORCE));
        assertRefused(StoreError.FAILED, log::close);
        log.close();
    }

    /** The failed force may have been about batches, and would not fail a second time. */
    @Test
    void aForceThatFailsWhileTheSegmentGrowsEndsTheLogToo() {
        FileLog log = FileLog.open(files, LogImage.OPTIONS.withSegmentBytes(2 << 20));
        append(log, 1 << 19);
        files.plan(failing(Operation.FORCE));
        assertRefused(StoreError.FAILED, () -> log.reserve(3 << 19));
        files.plan(NO_FAULTS);
        assertRefused(StoreError.FAILED, log::sync);
    }

    @Test
    void whoWaitsForASyncSharesTheNextOne() throws InterruptedException {
        FileLog log = open();
        append(log, 100);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        files.plan((operation, name) -> {
            if (operation == Operation.FORCE) {
                entered.countDown();
                await(free);
            }
        });
        int before = files.count(Operation.FORCE);
        Thread first = new Thread(log::sync);
        first.start();
        entered.await();
        append(log, 100);
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Thread thread = new Thread(log::sync);
            waiting.add(thread);
            thread.start();
        }
        for (Thread thread : waiting) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        free.countDown();
        first.join();
        for (Thread thread : waiting) {
            thread.join();
        }
        assertThat(log.synced()).isEqualTo(2);
        assertThat(files.count(Operation.FORCE) - before).isEqualTo(2);
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void aBatchIsAppendedWhileASyncIsUnderWay() throws InterruptedException {
        FileLog log = open();
        append(log, 100);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        files.plan((operation, name) -> {
            if (operation == Operation.FORCE) {
                entered.countDown();
                await(free);
            }
        });
        Thread syncing = new Thread(log::sync);
        syncing.start();
        entered.await();
        append(log, 100);
        assertThat(log.acknowledged()).isEqualTo(2);
        free.countDown();
        syncing.join();
        // The second batch may be on the disk, but nobody has promised it.
        assertThat(log.synced()).isEqualTo(1);
    }
}
