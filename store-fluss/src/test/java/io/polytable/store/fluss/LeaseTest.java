package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.fluss.ownership.Environment;
import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.Moment;
import io.polytable.store.fluss.ownership.Ownership;
import io.polytable.store.fluss.ownership.Takeover;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long an owner may assume that it owns the log, by clocks that the test sets. */
class LeaseTest {
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofDays(1);

    private final SetClock clock = new SetClock();
    private final RowsInMemory rows = new RowsInMemory();

    /** Both clocks move only when the test says so. */
    private static final class SetClock implements Environment {
        private Duration monotonic = Duration.ofHours(1);
        private Duration wall = Duration.ofDays(20_000);

        void pass(Duration time) {
            monotonic = monotonic.plus(time);
            wall = wall.plus(time);
        }

        /** The monotonic clock of a suspended machine stands still. */
        void suspend(Duration time) {
            wall = wall.plus(time);
        }

        void setBack(Duration time) {
            wall = wall.minus(time);
        }

        @Override
        public long nanoTime() {
            return monotonic.toNanos();
        }

        @Override
        public Moment now() {
            return new Moment(monotonic.toNanos(), wall.toMillis());
        }

        @Override
        public void pause(long millisMax) {
            pass(Duration.ofMillis(millisMax));
        }

        @Override
        public long newNumber() {
            return 7;
        }

        @Override
        public boolean isDead(long owner) {
            return false;
        }
    }

    private Lease won() {
        Ownership won = Takeover.win(rows, new Takeover.Terms(TIME, LONG, Optional.empty()), clock);
        return new Lease(new FencedWriter(rows, won, clock, LONG), won, TIME, clock::now);
    }

    @Test
    void endsAfterItsTime() {
        Lease lease = won();
        clock.pass(TIME.minusMillis(1));
        assertThat(lease.isHeld()).isTrue();
        clock.pass(Duration.ofMillis(1));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void endsWhileTheMachineIsSuspended() {
        Lease lease = won();
        clock.suspend(TIME);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.dueInNanos()).isNegative();
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void isNotProlongedByAClockThatIsSetBack() {
        Lease lease = won();
        clock.setBack(Duration.ofHours(1));
        clock.pass(TIME);
        assertThat(lease.isHeld()).isFalse();
    }

    /** A claimant counts from when the row landed, which may be right after it was sent. */
    @Test
    void runsFromWhenItsRowWasSent() {
        rows.afterWrite(() -> clock.pass(TIME));
        Lease lease = won();
        assertThat(lease.isHeld()).isFalse();
    }
}
