package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.fluss.ownership.LeaseRecord;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows that somebody changed or removed are noticed, never skipped. */
class RowDamageTest {
    private static final int ROWS = 9;

    private final LogFixture fixture = new LogFixture();
    private final LogTable table = LogTable.open(LogFixture.cluster(), LogFixture.OPTIONS.table());

    @AfterEach
    void letGo() {
        fixture.close();
    }

    /** A log of a few rows, closed; answers the key of the first. */
    private LogKey written() {
        FlussLog log = fixture.open();
        for (int i = 0; i < ROWS; i++) {
            log.append(RecordBatches.after(log, "record " + i));
            log.sync();
        }
        long owner = log.owner();
        log.close();
        long epoch = LeaseRecord.decode(table.read(LogKey.LEASE).orElseThrow().body())
                .epoch();
        return new LogKey(epoch, owner, 1);
    }

    private static void assertCorrupt(ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.CORRUPT));
    }

    @Test
    void aChangedByteIsNoticed() {
        LogKey key = written().next().next();
        LogRow row = table.read(key).orElseThrow();
        for (int at = 0; at < row.body().length; at += 7) {
            byte[] damaged = row.body().clone();
            damaged[at] ^= 4;
            write(row, damaged);
            FlussLog log = fixture.open();
            assertThat(RecordBatches.read(log, 4)).hasSize(ROWS - 3);
            assertCorrupt(() -> RecordBatches.read(log, 1));
            log.close();
        }
    }

    private void write(LogRow row, byte[] body) {
        table.write(List.of(new LogRow(
                row.key(), row.offset(), row.first(), row.last(), row.ticket(), row.bytesBefore(), row.more(), body)));
    }

    @Test
    void aBatchOfAnEarlierVersionHasNoTime() {
        LogKey key = written();
        LogRow row = table.read(key).orElseThrow();
        FlussLog log = fixture.open();
        write(row, untimed(row, log.incarnation()));
        List<OptionalLong> millis = new ArrayList<>();
        try (LogReader reader = log.read(1)) {
            while (reader.next()) {
                millis.add(reader.writtenMillis());
            }
        }
        assertThat(millis.get(0)).isEmpty();
        assertThat(millis.subList(1, ROWS)).hasSize(ROWS - 1).allMatch(OptionalLong::isPresent);
    }

    /** The row's only batch as the version before times wrote it. */
    private static byte[] untimed(LogRow row, long incarnation) {
        int shorter = RecordBatchFormat.HEADER_BYTES - RecordBatchFormat.UNTIMED_HEADER_BYTES;
        ByteBuffer body = ByteBuffer.allocate(row.body().length - shorter).order(ByteOrder.LITTLE_ENDIAN);
        body.put(row.body(), 0, RecordBatchFormat.UNTIMED_HEADER_BYTES);
        body.put(row.body(), RecordBatchFormat.HEADER_BYTES, row.body().length - RecordBatchFormat.HEADER_BYTES);
        body.putInt(0, RecordBatchFormat.UNTIMED_MAGIC).putInt(4, body.capacity());
        LogKey key = row.key();
        long salt = ((incarnation * 31 + key.epoch()) * 31 + key.owner()) * 31 + key.seq();
        return body.putInt(8, RecordBatchFormat.checksum(body.array(), 0, body.capacity(), salt))
                .array();
    }

    @Test
    void aRowOfAnotherPlaceIsNoticed() {
        LogKey key = written();
        write(
                table.read(key.next()).orElseThrow(),
                table.read(key).orElseThrow().body());
        FlussLog log = fixture.open();
        assertCorrupt(() -> RecordBatches.read(log, 1));
    }

    @Test
    void aMissingRowIsNoticedWhenReadOver() {
        LogKey key = written();
        fixture.open().close();
        table.remove(List.of(key.next()));
        FlussLog log = fixture.open();
        assertCorrupt(() -> RecordBatches.read(log, 1));
        assertThat(RecordBatches.read(log, ROWS)).hasSize(1);
    }

    /** As when a server did not answer in time: the same reader continues, with nothing left out or told twice. */
    @Test
    void aReaderGoesOnBehindARowThatCouldNotBeHadForAWhile() {
        LogKey key = written();
        fixture.open().close();
        LogRow row = table.read(key.next()).orElseThrow();
        table.remove(List.of(row.key()));
        FlussLog log = fixture.open();
        int permits = LogFixture.cluster().ahead().availablePermits();
        List<Long> told = new ArrayList<>();
        try (LogReader reader = log.read(1)) {
            assertCorrupt(() -> addAll(reader, told));
            assertCorrupt(() -> addAll(reader, told));
            write(row, row.body());
            addAll(reader, told);
        }
        assertThat(told).isEqualTo(LongStream.rangeClosed(1, log.end()).boxed().toList());
        assertThat(LogFixture.cluster().ahead().availablePermits()).isEqualTo(permits);
    }

    private static void addAll(LogReader reader, List<Long> positions) {
        while (reader.next()) {
            positions.add(reader.position());
        }
    }

    @Test
    void aMissingRowIsNotTakenForTheEnd() {
        LogKey first = written();
        for (LogKey key = first; key.seq() < ROWS; key = key.next()) {
            LogRow row = table.read(key).orElseThrow();
            table.remove(List.of(key));
            assertFoundMissingSomewhere();
            write(row, row.body());
        }
        assertThat(RecordBatches.read(fixture.open(), 1)).hasSize(ROWS);
    }

    /** At the opening, or when it is read: the search for the end does not look at every row. */
    private void assertFoundMissingSomewhere() {
        assertCorrupt(() -> {
            FlussLog log = fixture.open();
            try {
                RecordBatches.read(log, 1);
            } finally {
                log.close();
            }
        });
    }
}
