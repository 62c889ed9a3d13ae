package io.polytable.cells.store.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** The store's timestamps are monotonic for a row and do not affect other rows. */
class RowClockTest {
    private static final long NOW = 1_000;
    private static final Bytes ROW = Bytes.utf8("row");
    private static final Bytes OTHER = Bytes.utf8("other");

    private final RowClock clock = new RowClock(InstantSource.fixed(Instant.ofEpochMilli(NOW)), 4);

    private long put(Bytes row) {
        return clock.tick(2, row, NOW, true, false);
    }

    private long delete(Bytes row) {
        return clock.tick(2, row, NOW, false, true);
    }

    @Test
    void aPutIsLaterThanADeleteOfItsRow() {
        assertThat(put(ROW)).isEqualTo(NOW);
        assertThat(delete(ROW)).isEqualTo(NOW);
        assertThat(put(ROW)).isEqualTo(NOW + 1);
    }

    @Test
    void aRowOfTheSameStripeKeepsTheTimeOfTheClock() {
        for (int i = 0; i < 100; i++) {
            delete(ROW);
            put(ROW);
        }
        assertThat(put(OTHER)).isEqualTo(NOW);
        assertThat(delete(OTHER)).isEqualTo(NOW);
    }

    @Test
    void whoRunsAheadWaitsAndHisNeighboursDoNot() {
        for (int i = 0; i < 100; i++) {
            delete(ROW);
            put(ROW);
        }
        assertThat(clock.isAhead(2, ROW, NOW)).isTrue();
        assertThat(clock.isAhead(2, OTHER, NOW)).isFalse();
    }

    @Test
    void aCounterTakesOnlyItsOwnRowAlong() {
        put(ROW);
        clock.follow(2, ROW, NOW + 1);
        assertThat(put(ROW)).isEqualTo(NOW + 1);
        assertThat(put(OTHER)).isEqualTo(NOW);
    }
}
