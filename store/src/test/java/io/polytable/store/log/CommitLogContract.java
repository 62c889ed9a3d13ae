package io.polytable.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link CommitLog} owes its engine. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class CommitLogContract {
    private final List<CommitLog> opened = new ArrayList<>();

    /** Opens this test's log: a new one at first, after a close the same one again. */
    protected abstract CommitLog openLog();

    protected final CommitLog open() {
        CommitLog log = openLog();
        opened.add(log);
        return log;
    }

    @AfterEach
    void closeLogs() {
        opened.forEach(CommitLog::close);
    }

    /** Appends as an engine does: reserved first, acknowledged at last. */
    protected static void append(CommitLog log, RecordBatch batch) {
        log.reserve(batch.length());
        log.append(batch);
        awaitAcknowledged(log, batch.last());
    }

    protected static void awaitAcknowledged(CommitLog log, long position) {
        if (log.acknowledged() >= position) {
            return;
        }
        CountDownLatch reached = new CountDownLatch(1);
        log.onProgress(() -> {
            if (log.acknowledged() >= position) {
                reached.countDown();
            }
        });
        if (log.acknowledged() < position) {
            awaitLatch(reached);
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void assertRefused(StoreError error, ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void aNewLogIsEmpty() {
        CommitLog log = open();
        assertThat(log.end()).isZero();
        assertThat(log.acknowledged()).isZero();
        assertThat(log.synced()).isZero();
        assertThat(log.ticket()).isZero();
        assertThat(log.first()).isEqualTo(1);
        assertThat(RecordBatches.read(log, 1)).isEmpty();
    }

    @Test
    void whatIsAppendedIsReadInOrder() {
        CommitLog log = open();
        append(log, RecordBatches.after(log, "one", "two"));
        append(log, RecordBatches.after(log, "three", ""));
        assertThat(log.end()).isEqualTo(4);
        assertThat(log.acknowledged()).isEqualTo(4);
        assertThat(RecordBatches.read(log, 1))
                .containsExactly(
                        RecordBatches.padded("one"),
                        RecordBatches.padded("two"),
                        RecordBatches.padded("three"),
                        new byte[0]);
    }

    @Test
    void aReaderStartsAnywhereAlsoInsideABatch() {
        CommitLog log = open();
        append(log, RecordBatches.after(log, "one", "two", "three"));
        append(log, RecordBatches.after(log, "four", "five"));
        for (long from = 1; from <= 6; from++) {
            assertThat(RecordBatches.read(log, from)).as("from %d", from).hasSize((int) (6 - from));
        }
    }

    @Test
    void aReaderKnowsTheTicketOfItsBatch() {
        CommitLog log = open();
        append(log, RecordBatches.of(1, 70, List.of(new byte[4], new byte[8])));
        append(log, RecordBatches.of(3, 91, List.of(new byte[4])));
        assertThat(log.ticket()).isEqualTo(91);
        try (LogReader reader = log.read(1)) {
            List<Long> tickets = new ArrayList<>();
            while (reader.next()) {
                tickets.add(reader.ticket());
            }
            assertThat(tickets).containsExactly(70L, 70L, 91L);
        }
    }

    @Test
    void aReaderAtTheEndGoesOnWhenTheLogDoes() {
        CommitLog log = open();
        try (LogReader reader = log.read(1)) {
            assertThat(reader.next()).isFalse();
            append(log, RecordBatches.after(log, "one"));
            assertThat(reader.next()).isTrue();
            assertThat(reader.position()).isEqualTo(1);
            assertThat(RecordBatches.record(reader)).isEqualTo(RecordBatches.padded("one"));
            assertThat(reader.next()).isFalse();
            append(log, RecordBatches.after(log, "two"));
            assertThat(reader.next()).isTrue();
            assertThat(RecordBatches.record(reader)).isEqualTo(RecordBatches.padded("two"));
        }
    }

    @Test
    void aPositionBeyondTheEndIsRefused() {
        CommitLog log = open();
        append(log, RecordBatches.after(log, "one"));
        assertRefused(StoreError.BAD_POSITION, () -> log.read(3));
    }

    @Test
    void aPositionBelowTheFirstHasExpired() {
        CommitLog log = open();
        assertRefused(StoreError.POSITION_EXPIRED, () -> log.read(0));
    }

    @Test
    void aBatchMustFollowOnTheLast() {
        CommitLog log = open();
        append(log, RecordBatches.after(log, "one"));
        RecordBatch gap = RecordBatches.of(3, 3, List.of(new byte[4]));
        RecordBatch again = RecordBatches.of(1, 1, List.of(new byte[4]));
        assertThatIllegalStateException().isThrownBy(() -> log.append(gap));
        assertThatIllegalStateException().isThrownBy(() -> log.append(again));
        append(log, RecordBatches.after(log, "two"));
        assertThat(RecordBatches.read(log, 1)).hasSize(2);
    }

    @Test
    void aSyncCoversAllThatWasAppendedBefore() {
        CommitLog log = open();
        append(log, RecordBatches.after(log, "one", "two"));
        log.sync();
        assertThat(log.synced()).isGreaterThanOrEqualTo(2);
        log.sync();
        append(log, RecordBatches.after(log, "three"));
        log.sync();
        assertThat(log.synced()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void everyListenerHearsOfProgress() {
        CommitLog log = open();
        AtomicLong acknowledged = new AtomicLong();
        AtomicLong synced = new AtomicLong();
        log.onProgress(() -> acknowledged.accumulateAndGet(log.acknowledged(), Math::max));
        log.onProgress(() -> synced.accumulateAndGet(log.synced(), Math::max));
        append(log, RecordBatches.after(log, "one"));
        assertThat(acknowledged).hasValue(1);
        log.sync();
        assertThat(synced).hasValue(1);
    }

    @Test
    void aLogOpenedAgainGoesOn() {
        CommitLog log = open();
        long incarnation = log.incarnation();
        append(log, RecordBatches.after(log, "one", "two"));
        log.close();
        CommitLog again = open();
        assertThat(again.incarnation()).isEqualTo(incarnation);
        assertThat(again.end()).isEqualTo(2);
        assertThat(again.acknowledged()).isEqualTo(2);
        assertThat(again.synced()).isEqualTo(2);
        assertThat(again.ticket()).isEqualTo(2);
        append(again, RecordBatches.after(again, "three"));
        assertThat(RecordBatches.read(again, 2))
                .containsExactly(RecordBatches.padded("two"), RecordBatches.padded("three"));
    }

    @Test
    void bytesSinceGrowWithTheDistance() {
        CommitLog log = open();
        for (int i = 0; i < 200; i++) {
            append(log, RecordBatches.after(log, List.of(new byte[4000])));
        }
        assertThat(log.bytesSince(log.end() + 1)).isZero();
        assertThat(log.bytesSince(1)).isGreaterThanOrEqualTo(200 * 4000);
        assertThat(log.bytesSince(100)).isBetween(400_000L, 700_000L);
    }

    @Test
    void whatIsNotReleasedStays() {
        CommitLog log = open();
        for (int i = 0; i < 100; i++) {
            append(log, RecordBatches.after(log, List.of(new byte[1000])));
        }
        log.sync();
        log.release(51);
        assertThat(log.first()).isLessThanOrEqualTo(51);
        assertThat(RecordBatches.read(log, 51)).hasSize(50);
        log.close();
        CommitLog again = open();
        assertThat(again.first()).isLessThanOrEqualTo(51);
        assertThat(RecordBatches.read(again, 51)).hasSize(50);
        assertThat(again.end()).isEqualTo(100);
    }

    @Test
    void aLargeRecordIsARecord() {
        CommitLog log = open();
        byte[] large = new byte[3 << 20];
        new Random(1).nextBytes(large);
        append(log, RecordBatches.after(log, "before"));
        append(log, RecordBatches.after(log, List.of(large)));
        append(log, RecordBatches.after(log, "behind"));
        assertThat(RecordBatches.read(log, 2)).containsExactly(large, RecordBatches.padded("behind"));
    }

    @Test
    void aClosedLogRefusesEverything() {
        CommitLog log = open();
        append(log, RecordBatches.after(log, "one"));
        LogReader reader = log.read(1);
        RecordBatch batch = RecordBatches.after(log, "two");
        log.close();
        log.close();
        assertRefused(StoreError.CLOSED, () -> log.reserve(1));
        assertRefused(StoreError.CLOSED, () -> log.append(batch));
        assertRefused(StoreError.CLOSED, log::sync);
        assertRefused(StoreError.CLOSED, () -> log.read(1));
        assertRefused(StoreError.CLOSED, reader::next);
        reader.close();
    }

    @Tag("crash")
    @ParameterizedTest
    @ValueSource(longs = {3, 4, 5, 6, 7, 8})
    void aHistoryIsKeptEveryTime(long seed) {
        aHistoryIsKept(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aHistoryIsKept(long seed) {
        Random random = new Random(seed);
        List<byte[]> expected = new ArrayList<>();
        CommitLog log = open();
        for (int step = 0; step < 150; step++) {
            switch (random.nextInt(10)) {
                case 0 -> log.sync();
                case 1 -> {
                    if (random.nextInt(4) == 0) {
                        log.close();
                        log = open();
                    }
                }
                case 2 -> {
                    int from = random.nextInt(expected.size() + 1);
                    RecordBatches.requireSame(
                            "seed " + seed + " step " + step,
                            RecordBatches.read(log, from + 1L),
                            expected.subList(from, expected.size()));
                }
                default -> {
                    List<byte[]> records = RecordBatches.random(random, 5, 3000);
                    append(log, RecordBatches.after(log, records));
                    expected.addAll(records);
                }
            }
        }
        RecordBatches.requireSame("seed " + seed, RecordBatches.read(log, 1), expected);
    }

    @Test
    void readersAndSyncsRunBesideTheAppends() throws InterruptedException {
        CommitLog log = open();
        int records = 1000;
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(new Thread(() -> readAll(log, records)));
        }
        threads.add(new Thread(() -> syncUntil(log, records)));
        for (Thread thread : threads) {
            thread.setUncaughtExceptionHandler((t, e) -> {
                synchronized (failures) {
                    failures.add(e);
                }
            });
            thread.start();
        }
        for (int i = 1; i <= records; i++) {
            append(log, RecordBatches.after(log, "record " + i));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(log.synced()).isEqualTo(records);
    }

    private static void readAll(CommitLog log, int records) {
        try (LogReader reader = log.read(1)) {
            for (int i = 1; i <= records; i++) {
                awaitAcknowledged(log, i);
                assertThat(reader.next()).isTrue();
                assertThat(RecordBatches.record(reader)).isEqualTo(RecordBatches.padded("record " + i));
                assertThat(reader.position()).isLessThanOrEqualTo(log.acknowledged());
            }
            assertThat(reader.next()).isFalse();
        }
    }

    private static void syncUntil(CommitLog log, int records) {
        while (log.synced() < records) {
            long before = log.acknowledged();
            log.sync();
            assertThat(log.synced()).isGreaterThanOrEqualTo(before);
            awaitAcknowledged(log, Math.min(records, log.synced() + 1));
        }
    }
}
