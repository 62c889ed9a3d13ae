package io.polytable.store.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.log.RecordBatches;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who reads the log when there are few readers. */
class ReaderPoolTest {
    private static final int MOST = 2;

    @TempDir
    Path directory;

    private long nanos = 7;
    private FileLog log;
    private ReaderPool readers;

    @BeforeEach
    void open() {
        log = FileLog.open(directory, FileLogOptions.defaults());
        log.append(RecordBatches.after(log, "one"));
        readers = new ReaderPool(() -> nanos);
    }

    @AfterEach
    void close() {
        log.close();
    }

    private void assertNoneIsFree() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> readers.open(log, 1, MOST))
                .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.TOO_MANY));
    }

    @Test
    void whoDidNotReadForAWhileLosesItsReaderToAnother() {
        ReaderPool.Lease idle = readers.open(log, 1, MOST);
        idle.end();
        ReaderPool.Lease active = readers.open(log, 1, MOST);
        active.end();
        nanos += ReaderPool.IDLE_AFTER.toNanos();
        assertThat(active.begin()).isNotNull();
        active.end();
        ReaderPool.Lease newcomer = readers.open(log, 1, MOST);
        assertThat(newcomer.begin()).isNotNull();
        assertThat(idle.begin()).as("went to the newcomer").isNull();
        assertThat(active.begin()).isNotNull();
        assertNoneIsFree();
    }

    @Test
    void whoIsReadingKeepsItsReaderHoweverLongItTakes() {
        ReaderPool.Lease slow = readers.open(log, 1, MOST);
        ReaderPool.Lease other = readers.open(log, 1, MOST);
        nanos += 2 * ReaderPool.IDLE_AFTER.toNanos();
        assertNoneIsFree();
        assertThat(slow.begin()).isNotNull();
        other.close();
        readers.open(log, 1, MOST).close();
    }

    @Test
    void oneThatCannotBeOpenedTakesNoPlace() {
        for (int i = 0; i <= MOST; i++) {
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> readers.open(log, 100, MOST));
        }
        readers.open(log, 1, MOST).close();
    }

    @Test
    void tailsTakeReadersFromEachOtherAndNotFromFeeds() {
        ReaderPool.Lease feed = readers.open(log, 1, MOST);
        feed.end();
        ReaderPool.Lease first = readers.openForTail(log, 1, MOST);
        first.end();
        ReaderPool.Lease second = readers.openForTail(log, 1, MOST);
        second.end();
        ReaderPool.Lease third = readers.openForTail(log, 1, MOST);
        assertThat(first.begin()).as("used longest ago").isNull();
        ReaderPool.Lease other = readers.open(log, 1, MOST);
        assertThat(second.begin()).as("went to a feed").isNull();
        assertThat(feed.begin()).isNotNull();
        assertThat(other.begin()).isNotNull();
        assertThat(third.begin()).isNotNull();
        assertNoneIsFree();
    }

    @Test
    void aTailWaitsForAReaderThatIsInUse() {
        ReaderPool.Lease busy = readers.openForTail(log, 1, 0);
        CompletableFuture<ReaderPool.Lease> waiting = new CompletableFuture<>();
        Thread thread = new Thread(() -> waiting.complete(readers.openForTail(log, 1, 0)));
        thread.start();
        assertThat(waiting).isNotDone();
        busy.end();
        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
        assertThat(busy.begin()).isNull();
    }
}
