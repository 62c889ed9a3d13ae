package io.polytable.store.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.log.RecordBatches;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who reads the log behind the tail when there are few readers. */
class LogReadersTest {
    private static final int MOST = 2;

    @TempDir
    Path directory;

    private long nanos = 7;
    private FileLog log;
    private LogReaders readers;

    @BeforeEach
    void open() {
        log = FileLog.open(directory, FileLogOptions.defaults());
        log.append(RecordBatches.after(log, "one"));
        readers = new LogReaders(log, MOST, () -> nanos);
    }

    @AfterEach
    void close() {
        log.close();
    }

    private void assertNoneIsFree() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> readers.open(1))
                .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.TOO_MANY));
    }

    @Test
    void whoDidNotReadForAWhileLosesItsReaderToAnother() {
        LogReaders.Lease idle = readers.open(1);
        idle.end();
        LogReaders.Lease active = readers.open(1);
        active.end();
        nanos += LogReaders.IDLE_AFTER.toNanos();
        assertThat(active.begin()).isNotNull();
        active.end();
        LogReaders.Lease newcomer = readers.open(1);
        assertThat(newcomer.begin()).isNotNull();
        assertThat(idle.begin()).as("went to the newcomer").isNull();
        assertThat(active.begin()).isNotNull();
        assertNoneIsFree();
    }

    @Test
    void whoIsReadingKeepsItsReaderHoweverLongItTakes() {
        LogReaders.Lease slow = readers.open(1);
        LogReaders.Lease other = readers.open(1);
        nanos += 2 * LogReaders.IDLE_AFTER.toNanos();
        assertNoneIsFree();
        assertThat(slow.begin()).isNotNull();
        other.close();
        readers.open(1).close();
    }

    @Test
    void oneThatCannotBeOpenedTakesNoPlace() {
        for (int i = 0; i <= MOST; i++) {
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> readers.open(100));
        }
        readers.open(1).close();
    }
}
