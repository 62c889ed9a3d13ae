package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.fluss.ownership.Chain;
import io.polytable.store.fluss.ownership.Environment;
import io.polytable.store.fluss.ownership.Floor;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.RowSpan;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Rows that Fluss acknowledged and does not show yet. */
class HeldRowsTest {
    private static final int ROWS = 6;
    private static final RowSpan OWN = new RowSpan(2, 8, 1, 0, 1, 0, 0, 0, 0);

    private final RowsInMemory table = new RowsInMemory();
    private int pauses;
    private int shownAfterPauses = Integer.MAX_VALUE;
    private final PositionIndex index = new PositionIndex(
            table, new Chain(1, Chain.Start.NOTHING, 0, List.of()), OWN, new Patient(), Duration.ofSeconds(10));

    HeldRowsTest() {
        for (int i = 1; i <= ROWS; i++) {
            LogRow row = new LogRow(OWN.key(i), i, i, i, 0, i - 1, 0, new byte[] {(byte) i});
            table.write(List.of(row));
            index.grow(row, row);
        }
    }

    /** The table catches up after some pauses, one write with each. */
    private final class Patient implements Environment {
        private final Environment clock = RowsInMemory.environment();

        @Override
        public void pause(long millisMax) {
            clock.pause(millisMax);
            if (++pauses >= shownAfterPauses) {
                table.show(ROWS);
            }
        }

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public long newNumber() {
            return clock.newNumber();
        }

        @Override
        public boolean isDead(long owner) {
            return clock.isDead(owner);
        }
    }

    private Supplier<Optional<LogRow>> ask(LogKey key) {
        Optional<LogRow> answer = table.read(key);
        return () -> answer;
    }

    private RowFetcher fetcher() {
        return new RowFetcher(new Semaphore(8), this::ask, index, OWN.key(1));
    }

    private static void assertFails(StoreError error, ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void aReaderWaitsForARowThatIsNotShownYet() {
        table.show(3);
        shownAfterPauses = 5;
        RowFetcher fetcher = fetcher();
        for (int i = 1; i <= ROWS; i++) {
            assertThat(fetcher.next().body()).containsExactly((byte) i);
        }
        assertThat(fetcher.hasNext()).isFalse();
        assertThat(pauses).isEqualTo(5);
    }

    @Test
    void aPositionIsFoundThroughARowThatIsNotShownYet() {
        table.show(0);
        shownAfterPauses = 3;
        assertThat(index.find(4).orElseThrow().key()).isEqualTo(OWN.key(4));
        assertThat(pauses).isEqualTo(3);
    }

    /** It may be there after all: a reader that took it for missing would call the log damaged. */
    @Test
    void aRowThatIsNeverShownIsNoDamage() {
        table.show(3);
        assertFails(StoreError.IO, () -> index.rows().read(OWN.key(5)));
        assertThat(pauses).isPositive();
        table.show(ROWS);
        assertThat(index.rows().read(OWN.key(5)).body()).containsExactly((byte) 5);
    }

    @Test
    void aRowIsMissingForCertainWhenALaterOneIsShown() {
        table.remove(List.of(OWN.key(3)));
        assertFails(StoreError.CORRUPT, () -> index.rows().read(OWN.key(3)));
        RowFetcher fetcher = fetcher();
        assertThat(fetcher.next().body()).containsExactly((byte) 1);
        assertThat(fetcher.next().body()).containsExactly((byte) 2);
        assertFails(StoreError.CORRUPT, fetcher::next);
        assertThat(pauses).isZero();
    }

    @Test
    void nobodyWaitsForARowThatWasGivenUp() {
        table.show(3);
        table.beforeRead(() -> index.raise(new Floor(OWN.key(6), 6, 5, 1)));
        assertFails(StoreError.CORRUPT, () -> index.rows().read(OWN.key(5)));
        assertThat(pauses).isZero();
    }
}
