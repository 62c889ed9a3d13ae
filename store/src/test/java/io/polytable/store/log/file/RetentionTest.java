package io.polytable.store.log.file;

import static io.polytable.store.log.CommitLogContract.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreError;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which segments go, and when; and that their files come back as others. */
class RetentionTest {
    private static final int RECORDS_A_SEGMENT = 7;

    private final MemoryFiles files = new MemoryFiles();
    private Instant now = Instant.EPOCH;
    private FileLogOptions options = LogImage.OPTIONS.withClock(() -> now);

    private FileLog open() {
        return FileLog.open(files, options);
    }

    private static void append(FileLog log, int count) {
        for (int i = 0; i < count; i++) {
            log.append(RecordBatches.after(log, List.of(new byte[500])));
        }
    }

    private long segments() {
        return files.list().stream()
                .filter(name -> Segment.idOf(name).isPresent())
                .count();
    }

    private static void release(FileLog log, long below) {
        log.release(below);
        log.maintain();
    }

    @Test
    void wholeSegmentsGoAndNoRecordThatIsNeeded() {
        FileLog log = open();
        append(log, 3 * RECORDS_A_SEGMENT + 1);
        log.sync();
        release(log, RECORDS_A_SEGMENT);
        assertThat(log.first()).isEqualTo(1);
        release(log, RECORDS_A_SEGMENT + 1);
        assertThat(log.first()).isEqualTo(RECORDS_A_SEGMENT + 1);
        release(log, log.end() + 1);
        assertThat(log.first()).isEqualTo(3 * RECORDS_A_SEGMENT + 1);
        assertRefused(StoreError.POSITION_EXPIRED, () -> log.read(log.first() - 1));
        assertThat(RecordBatches.read(log, log.first())).hasSize(1);
        log.close();
        FileLog again = open();
        assertThat(again.first()).isEqualTo(3 * RECORDS_A_SEGMENT + 1);
        assertThat(again.end()).isEqualTo(3 * RECORDS_A_SEGMENT + 1);
    }

    @Test
    void whatIsNotSyncedIsNotReleased() {
        options = options.withBackground(false);
        FileLog log = open();
        append(log, RECORDS_A_SEGMENT + 1);
        log.release(log.end() + 1);
        log.reserve(4000);
        assertThat(log.first()).isEqualTo(1);
        log.sync();
        log.maintain();
        assertThat(log.first()).isEqualTo(RECORDS_A_SEGMENT + 1);
    }

    @Test
    void readersGetTheirBytes() {
        options = options.withRetention(2 * RECORDS_A_SEGMENT * 544L, Duration.ZERO);
        FileLog log = open();
        append(log, 4 * RECORDS_A_SEGMENT);
        log.sync();
        release(log, log.end() + 1);
        assertThat(log.first()).isEqualTo(2 * RECORDS_A_SEGMENT + 1);
    }

    @Test
    void readersGetTheirTime() {
        options = options.withRetention(0, Duration.ofMinutes(1));
        FileLog log = open();
        append(log, RECORDS_A_SEGMENT + 1);
        now = now.plusSeconds(30);
        append(log, RECORDS_A_SEGMENT);
        log.sync();
        release(log, log.end() + 1);
        assertThat(log.first()).isEqualTo(1);
        now = now.plusSeconds(30);
        log.maintain();
        assertThat(log.first()).isEqualTo(RECORDS_A_SEGMENT + 1);
        now = now.plusSeconds(30);
        log.maintain();
        assertThat(log.first()).isEqualTo(2 * RECORDS_A_SEGMENT + 1);
    }

    @Test
    void aClockThatIsSetBackDelaysTheReleaseByTheRetentionAtMost() {
        now = Instant.EPOCH.plus(Duration.ofDays(365));
        options = options.withRetention(0, Duration.ofMinutes(1));
        FileLog log = open();
        append(log, 2 * RECORDS_A_SEGMENT + 1);
        log.sync();
        now = Instant.EPOCH;
        append(log, RECORDS_A_SEGMENT);
        log.sync();
        release(log, log.end() + 1);
        assertThat(log.first()).isEqualTo(1);
        now = now.plusSeconds(60);
        log.maintain();
        assertThat(log.first()).isEqualTo(3 * RECORDS_A_SEGMENT + 1);
    }

    @Test
    void aClockThatIsSetBackDelaysNoReleaseWithoutRetentionByTime() {
        now = Instant.EPOCH.plus(Duration.ofDays(365));
        FileLog log = open();
        append(log, 2 * RECORDS_A_SEGMENT);
        log.sync();
        now = Instant.EPOCH;
        release(log, log.end() + 1);
        assertThat(log.first()).isEqualTo(RECORDS_A_SEGMENT + 1);
    }

    @Test
    void aHoldKeepsEverything() {
        FileLog log = open();
        append(log, 3 * RECORDS_A_SEGMENT);
        log.sync();
        FileLog.Hold one = log.hold();
        FileLog.Hold two = log.hold();
        release(log, log.end() + 1);
        one.close();
        one.close();
        log.maintain();
        assertThat(log.first()).isEqualTo(1);
        two.close();
        log.maintain();
        assertThat(log.first()).isEqualTo(2 * RECORDS_A_SEGMENT + 1);
    }

    @Test
    void aReaderThatIsTooSlowLearnsIt() {
        FileLog log = open();
        append(log, 3 * RECORDS_A_SEGMENT);
        log.sync();
        try (LogReader slow = log.read(1);
                LogReader unread = log.read(1)) {
            assertThat(slow.next()).isTrue();
            release(log, log.end() + 1);
            assertRefused(StoreError.POSITION_EXPIRED, () -> {
                while (slow.next()) {
                    assertThat(slow.position()).isLessThanOrEqualTo(RECORDS_A_SEGMENT);
                }
            });
            assertRefused(StoreError.POSITION_EXPIRED, unread::next);
        }
    }

    @Test
    void filesAreUsedAgainAndTheirOldBytesNeverRead() {
        Random random = new Random(3);
        FileLog log = open();
        List<byte[]> expected = new ArrayList<>();
        for (int round = 0; round < 60; round++) {
            for (int i = 0; i < 20; i++) {
                // Of one size, so that old batches stand exactly where new ones end.
                byte[] record = new byte[200];
                random.nextBytes(record);
                log.append(RecordBatches.after(log, List.of(record)));
                expected.add(record);
            }
            log.sync();
            release(log, log.end() - 10);
            FileLog killed = FileLog.open(files.copy(), options);
            assertThat(killed.cut()).isEmpty();
            assertThat(killed.end()).isEqualTo(log.end());
            long first = killed.first();
            RecordBatches.requireSame(
                    "round " + round,
                    RecordBatches.read(killed, first),
                    expected.subList((int) first - 1, expected.size()));
        }
        assertThat(segments()).isLessThan(5);
        assertThat(files.list()).hasSizeLessThan(12);
    }

    /** Appends and maintenance meet at the border of every segment; here there are thousands of them. */
    @Test
    void theUpkeepThreadKeepsPaceWithoutLosingAFile() {
        options = options.withBackground(true);
        FileLog log = open();
        byte[] record = new byte[500];
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer.wrap(record).putInt(i);
            RecordBatch batch = RecordBatches.after(log, List.of(record));
            log.reserve(batch.length());
            log.append(batch);
            log.release(log.synced() - 100);
        }
        FileLog killed = FileLog.open(files.copy(), LogImage.OPTIONS);
        assertThat(killed.end()).isEqualTo(20_000);
        long position = killed.first();
        for (byte[] kept : RecordBatches.read(killed, position)) {
            assertThat(ByteBuffer.wrap(kept).getInt()).isEqualTo((int) position++ - 1);
        }
        assertThat(position).isEqualTo(20_001);
        log.close();
    }

    @Test
    void aLargeReservationGetsASegmentOfItsOwnWhichIsNotKept() {
        FileLog log = open();
        append(log, 1);
        byte[] large = new byte[3 << 20];
        RecordBatch batch = RecordBatches.after(log, List.of(large));
        log.reserve(batch.length());
        log.append(batch);
        append(log, 2 * RECORDS_A_SEGMENT);
        assertThat(RecordBatches.read(log, 2).get(0)).isEqualTo(large);
        log.close();
        FileLog again = open();
        assertThat(again.end()).isEqualTo(2 + 2 * RECORDS_A_SEGMENT);
        again.sync();
        release(again, again.end() + 1);
        assertThat(files.list()).noneMatch(name -> name.startsWith(Segment.name(2)));
    }

    @Test
    void aLogMayStartBehindAnother() {
        options = options.withStartAfter(41, 1000);
        FileLog log = open();
        assertThat(log.first()).isEqualTo(42);
        assertThat(log.end()).isEqualTo(41);
        assertThat(log.synced()).isEqualTo(41);
        assertThat(log.ticket()).isEqualTo(1000);
        log.close();
        FileLog again = FileLog.open(files, LogImage.OPTIONS);
        assertThat(again.ticket()).isEqualTo(1000);
        append(again, 2);
        assertThat(RecordBatches.read(again, 42)).hasSize(2);
        assertRefused(StoreError.POSITION_EXPIRED, () -> again.read(41));
    }

    @Test
    void theTicketSurvivesTheReleaseOfItsBatch() {
        FileLog log = open();
        append(log, RECORDS_A_SEGMENT);
        log.append(RecordBatches.of(log.end() + 1, 5000, List.of(new byte[500])));
        log.sync();
        release(log, log.end() + 1);
        MemoryFiles left = files.copy();
        assertThat(FileLog.open(left, options).ticket()).isEqualTo(5000);
    }
}
