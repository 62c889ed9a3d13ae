package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.fluss.ownership.Floor;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.log.CommitLog;
import io.polytable.store.log.CommitLogContract;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract against a real cluster. */
class FlussLogTest extends CommitLogContract {
    private final LogFixture fixture = new LogFixture();

    @Override
    protected CommitLog openLog() {
        return fixture.open();
    }

    private static void appendRows(FlussLog log, int count) {
        for (int i = 0; i < count; i++) {
            log.append(RecordBatches.after(log, "record"));
            log.sync();
        }
    }

    /** It has read all there was, and what it wants next is the first that is kept: nothing is missing for it. */
    @Test
    void aReaderWhosePositionIsTheFloorGoesOn() {
        FlussLog log = fixture.open();
        appendRows(log, 3);
        try (LogReader reader = log.read(1)) {
            while (reader.next()) {
                assertThat(reader.position()).isLessThanOrEqualTo(3);
            }
            appendRows(log, 3);
            log.trim(4, 1);
            assertThat(log.first()).isEqualTo(4);
            for (long position = 4; position <= 6; position++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.position()).isEqualTo(position);
            }
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void aReaderBelowTheFloorIsToldThatItsPositionExpired() {
        FlussLog log = fixture.open();
        appendRows(log, 3);
        try (LogReader reader = log.read(1)) {
            while (reader.next()) {
                assertThat(reader.position()).isLessThanOrEqualTo(3);
            }
            appendRows(log, 3);
            log.trim(5, 1);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(reader::next)
                    .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.POSITION_EXPIRED));
        }
    }

    /** It announced its floor, and was killed before it removed a row. */
    @Test
    void whatAKilledOwnerGaveUpTheNextOneRemoves() {
        FlussLog killed = fixture.open();
        appendRows(killed, 5);
        LogKey first = killed.firstRow();
        killed.close();
        LogTable table = LogTable.open(LogFixture.cluster(), LogFixture.OPTIONS.table());
        LogRow kept = table.read(new LogKey(first.epoch(), first.owner(), 4)).orElseThrow();
        LogKey floor = LogKey.floor(first.epoch(), first.owner());
        table.write(List.of(
                LogRow.control(floor, table.latestOffset(), Floor.at(kept, 1).encode())));
        FlussLog log = fixture.open();
        assertThat(log.first()).isEqualTo(4);
        for (LogKey gone = first; gone.seq() < 4; gone = gone.next()) {
            LogKey key = gone;
            LogFixture.cluster().awaitTrue(() -> table.read(key).isEmpty());
        }
        assertThat(RecordBatches.read(log, 4)).hasSize(2);
    }

    /** One that just fills its rows, one that does not, and a small one behind them. */
    @Test
    void aBatchOfSeveralRowsIsReadAsItWasWritten() {
        FlussLog log = fixture.open();
        int header = RecordBatchFormat.HEADER_BYTES + RecordBatchFormat.RECORD_HEADER_BYTES;
        List<byte[]> records =
                List.of(bytes(2 * RowPacker.PART_BYTES - header), bytes(2 * RowPacker.PART_BYTES + 1024), bytes(16));
        records.forEach(record -> log.append(RecordBatches.after(log, List.of(record))));
        log.sync();
        RecordBatches.requireSame("the log", RecordBatches.read(log, 1), records);
    }

    /** On a small heap the client's buffer is much smaller than what a value may be. */
    @Test
    void aBatchLargerThanTheWriteBufferIsWritten() {
        try (FlussCluster small = FlussCluster.open(LogFixture.settings().withMemory(new FlussSettings.Memory(0, 0)));
                FlussLog log = fixture.open(small)) {
            List<byte[]> records = List.of(bytes(5 * RowPacker.PART_BYTES), bytes(16));
            records.forEach(record -> log.append(RecordBatches.after(log, List.of(record))));
            log.sync();
            RecordBatches.requireSame("the log", RecordBatches.read(log, 1), records);
        }
    }

    /** What one reader has asked for ahead is not to be had by another, and is free again when it is closed. */
    @Test
    void readersShareWhatIsAskedForAhead() {
        FlussLog log = fixture.open();
        int all = LogFixture.cluster().ahead().availablePermits();
        appendRows(log, 2 * all);
        List<LogReader> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            LogReader reader = log.read(1);
            readers.add(reader);
            assertThat(reader.next()).isTrue();
        }
        assertThat(LogFixture.cluster().ahead().availablePermits()).isZero();
        for (LogReader reader : readers) {
            int read = 1;
            while (reader.next()) {
                read++;
            }
            assertThat(read).isEqualTo(2 * all);
            reader.close();
        }
        assertThat(LogFixture.cluster().ahead().availablePermits()).isEqualTo(all);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @AfterEach
    void letGo() {
        fixture.close();
    }
}
