package io.polytable.store.log.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatches;
import io.polytable.store.log.file.FaultyFiles.Operation;
import io.polytable.table.testkit.Await;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The maintenance thread does what it is woken for. */
class LogMaintenanceTest {
    private static final FileLogOptions OPTIONS = LogImage.OPTIONS.withBackground(true);

    private static void append(FileLog log, int bytes) {
        RecordBatch batch = RecordBatches.after(log, List.of(new byte[bytes]));
        log.reserve(batch.length());
        log.append(batch);
    }

    /** A lock that the thread waits for during its turn consumes the permit of an unpark; the reservation must not wait. */
    @Test
    void aWakeUpDuringATurnIsNotLost() throws InterruptedException {
        CountDownLatch syncing = new CountDownLatch(1);
        CountDownLatch reserved = new CountDownLatch(1);
        FaultyFiles files = new FaultyFiles(new MemoryFiles(), (operation, name) -> {
            if (operation == Operation.FORCE
                    && name.equals(Segment.name(1))
                    && Thread.currentThread().getName().equals("log-upkeep")) {
                syncing.countDown();
                Await.opened(reserved);
                // As a wait for a lock would, in case that the latch was open before it was waited for.
                LockSupport.parkNanos(1);
            }
        });
        FileLog log = FileLog.open(files, OPTIONS, Long.MAX_VALUE);
        append(log, 2500);
        // It does not fit into the first segment, which the maintenance thread now syncs.
        append(log, 2500);
        Await.opened(syncing);
        Thread writer = new Thread(() -> log.reserve(100_000));
        writer.start();
        Await.until("the writer waits for space", () -> writer.getState() == Thread.State.WAITING);
        reserved.countDown();
        Await.until("the writer has its space", () -> !writer.isAlive());
        log.close();
        assertThat(log.synced()).isEqualTo(2);
    }
}
