package io.polytable.store.log.file;

import static io.polytable.store.log.CommitLogContract.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.log.RecordBatches;
import io.polytable.store.log.file.FaultyFiles.Operation;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A full disk refuses writes before anything of them is to be seen, and nothing else; with space again, all is well. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FullDiskTest {
    private static final int RECORD = 500;
    private static final int BATCH_BYTES =
            RecordBatchFormat.HEADER_BYTES + RecordBatchFormat.RECORD_HEADER_BYTES + RECORD;
    private static final long CONTROL_BYTES = 16 << 10;
    private static final long SEGMENT_BYTES = 8 << 10;

    private final MemoryFiles memory = new MemoryFiles();
    private final FaultyFiles files = new FaultyFiles(memory, (operation, name) -> {});
    private Instant now = Instant.EPOCH;
    private final FileLogOptions options =
            LogImage.OPTIONS.withRetryAfter(Duration.ofSeconds(1)).withClock(() -> now);

    private FileLog openWithRoomFor(int segments) {
        memory.limit(CONTROL_BYTES + segments * SEGMENT_BYTES);
        return FileLog.open(files, options);
    }

    private static void commit(FileLog log) {
        RecordBatch batch = RecordBatches.after(log, List.of(new byte[RECORD]));
        log.reserve(batch.length());
        log.append(batch);
    }

    private static void fill(FileLog log) {
        StoreError error = null;
        while (error == null) {
            try {
                commit(log);
            } catch (StoreException e) {
                error = e.error();
            }
        }
        assertThat(error).isEqualTo(StoreError.NO_ROOM);
    }

    @Test
    void writesAreRefusedAndReadsAreNot() {
        FileLog log = openWithRoomFor(2);
        fill(log);
        long end = log.end();
        assertThat(end).isEqualTo(2 * ((SEGMENT_BYTES - Segment.HEADER_BYTES) / BATCH_BYTES));
        log.sync();
        assertThat(log.synced()).isEqualTo(end);
        assertThat(RecordBatches.read(log, 1)).hasSize((int) end);
        assertRefused(StoreError.NO_ROOM, () -> commit(log));
        assertThat(log.end()).isEqualTo(end);
        log.close();
        FileLog again = FileLog.open(files, options);
        assertThat(again.end()).isEqualTo(end);
        assertRefused(StoreError.NO_ROOM, () -> commit(again));
    }

    @Test
    void whatIsReservedCanBeAppended() {
        FileLog log = openWithRoomFor(2);
        log.reserve(4000);
        memory.limit(0);
        for (int i = 0; i < 4; i++) {
            log.append(RecordBatches.after(log, List.of(new byte[900])));
        }
        assertThat(log.end()).isEqualTo(4);
    }

    @Test
    void anAppendWithoutAReservationIsRefusedWhole() {
        FileLog log = openWithRoomFor(2);
        fill(log);
        long end = log.end();
        RecordBatch batch = RecordBatches.after(log, List.of(new byte[3000]));
        assertRefused(StoreError.NO_ROOM, () -> log.append(batch));
        assertThat(log.end()).isEqualTo(end);
        memory.limit(Long.MAX_VALUE);
        now = now.plusSeconds(1);
        log.append(batch);
        assertThat(log.end()).isEqualTo(end + 1);
    }

    @Test
    void thereIsANewTryAfterAWhile() {
        FileLog log = openWithRoomFor(2);
        fill(log);
        int tries = files.count(Operation.CREATE);
        assertThat(log.refusal()).isPresent();
        memory.limit(Long.MAX_VALUE);
        assertRefused(StoreError.NO_ROOM, () -> commit(log));
        assertThat(files.count(Operation.CREATE)).isEqualTo(tries);
        now = now.plusSeconds(1);
        commit(log);
        assertThat(log.refusal()).isEmpty();
        assertThat(log.reservedBytes().orElseThrow()).isPositive();
    }

    @Test
    void aReleaseMakesRoomAtOnce() {
        FileLog log = openWithRoomFor(3);
        fill(log);
        log.sync();
        log.release(log.end());
        long end = log.end();
        commit(log);
        fill(log);
        assertThat(log.end()).isGreaterThan(end + 5);
        log.close();
        FileLog again = FileLog.open(files, options);
        assertThat(again.first()).isLessThanOrEqualTo(end);
        assertThat(RecordBatches.read(again, again.first())).hasSize((int) (again.end() - again.first() + 1));
    }

    @Test
    void whoWaitsForTheUpkeepThreadLearnsThatItFailed() {
        memory.limit(CONTROL_BYTES + SEGMENT_BYTES);
        FileLog log = FileLog.open(
                files, LogImage.OPTIONS.withRetryAfter(Duration.ZERO).withBackground(true));
        fill(log);
        assertRefused(StoreError.NO_ROOM, () -> log.reserve(1 << 20));
        log.close();
    }

    @Test
    void theUpkeepThreadTriesAgainByItself() {
        memory.limit(CONTROL_BYTES + SEGMENT_BYTES);
        FileLog log = FileLog.open(
                files, LogImage.OPTIONS.withRetryAfter(Duration.ofMillis(1)).withBackground(true));
        fill(log);
        memory.limit(Long.MAX_VALUE);
        String next = Segment.name(2);
        Await.until("the next segment is there", () -> memory.list().contains(next));
        commit(log);
        log.close();
    }
}
