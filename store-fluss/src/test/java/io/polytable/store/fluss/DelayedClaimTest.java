package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.fluss.ownership.Environment;
import io.polytable.store.fluss.ownership.LeaseRecord;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.LogRows;
import io.polytable.store.fluss.ownership.Takeover;
import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A claimant that pauses before its claim, on a real cluster: what others acknowledge meanwhile stays. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DelayedClaimTest {
    private final LogFixture fixture = new LogFixture();
    private final FlussCluster slow = LogFixture.connect();
    private final FlussCluster quick = LogFixture.connect();

    @BeforeEach
    void begin() {
        fixture.open().close();
    }

    @AfterEach
    void letGo() {
        fixture.close();
        slow.close();
        quick.close();
    }

    private static void append(FlussLog log, String record) {
        log.append(RecordBatches.after(log, record));
        log.sync();
    }

    private static List<String> records(FlussLog log) {
        return RecordBatches.read(log, log.first()).stream()
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII).strip())
                .toList();
    }

    private FlussLog takeFrom(FlussLog owner) {
        return fixture.open(LogFixture.cluster(), LogFixture.OPTIONS.withFormerOwner(Optional.of(owner.owner())));
    }

    private static LogTable table(FlussCluster cluster) {
        return LogTable.open(cluster, LogFixture.OPTIONS.table());
    }

    private static long epoch(LogTable table) {
        return LeaseRecord.decode(table.read(LogKey.LEASE).orElseThrow().body()).epoch();
    }

    @Test
    void aDelayedClaimOfTheSameEpochTakesNothingAway() throws InterruptedException {
        PausedClaimant paused = new PausedClaimant(table(slow));
        Thread claimant = new Thread(paused::claim);
        claimant.start();
        paused.beforeClaim.await();
        FlussLog owner = fixture.open(quick);
        append(owner, "one");
        paused.resume.countDown();
        claimant.join();
        LogTable table = table(quick);
        assertThat(table.candidates(epoch(table)))
                .as("both claimed the epoch")
                .hasSize(2)
                .contains(owner.owner());
        append(owner, "two");
        assertThat(owner.isCurrent()).isTrue();
        assertThat(records(takeFrom(owner))).containsExactly("one", "two");
    }

    /** A server that stands still when it has decided to claim, and lets its claim go when it is told to. */
    private static final class PausedClaimant {
        private final LogTable table;
        private final CountDownLatch beforeClaim = new CountDownLatch(1);
        private final CountDownLatch resume = new CountDownLatch(1);

        PausedClaimant(LogTable table) {
            this.table = table;
        }

        void claim() {
            Takeover.Terms terms = new Takeover.Terms(LogFixture.LEASE, Duration.ZERO, Optional.empty());
            try {
                var unused = Takeover.win(paused(), terms, Environment.system(Optional.empty()));
                throw new AssertionError("a delayed claim won");
            } catch (StoreException lost) {
                assertThat(lost).hasMessageContaining("Others claim the log");
            }
        }

        private LogRows paused() {
            return new LogRows() {
                @Override
                public String name() {
                    return table.name();
                }

                @Override
                public long latestOffset() {
                    return table.latestOffset();
                }

                @Override
                public Optional<LogRow> read(LogKey key) {
                    return table.read(key);
                }

                @Override
                public List<Optional<LogRow>> readAll(List<LogKey> keys) {
                    return table.readAll(keys);
                }

                @Override
                public long write(List<LogRow> rows) {
                    beforeClaim.countDown();
                    try {
                        resume.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return table.write(rows);
                }

                @Override
                public long remove(List<LogKey> keys) {
                    return table.remove(keys);
                }

                @Override
                public void announce(long epoch, long owner) {
                    table.announce(epoch, owner);
                }

                @Override
                public List<Long> candidates(long epoch) {
                    return table.candidates(epoch);
                }
            };
        }
    }
}
