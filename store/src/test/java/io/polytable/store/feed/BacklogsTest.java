package io.polytable.store.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is held for feeds that joined late, and who loses it. */
class BacklogsTest {
    private static final long BYTES_MAX = 100;

    private long nanos = 5;
    private final Backlogs backlogs = new Backlogs(BYTES_MAX, () -> nanos);

    private void idle() {
        nanos += Backlogs.IDLE_AFTER.toNanos();
    }

    private static TailCommit commit(long position, long bytes) {
        return new TailCommit(position, List.of(), List.of(), bytes);
    }

    private Backlogs.Backlog holding(int commits, long bytesEach) {
        Backlogs.Backlog backlog = backlogs.open(10);
        for (int i = 1; i <= commits; i++) {
            backlog.add(commit(10 + i, bytesEach));
        }
        return backlog;
    }

    private static void assertExpired(ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.POSITION_EXPIRED));
    }

    @Test
    void anIdleFeedLosesWhatIsHeldForItAndNobodyElse() {
        Backlogs.Backlog idle = holding(2, 30);
        Backlogs.Backlog active = holding(2, 15);
        idle();
        assertThat(active.poll()).isNotNull();
        Backlogs.Backlog newcomer = holding(1, 60);
        assertExpired(idle::poll);
        assertThat(idle.isReady()).as("is told so").isTrue();
        assertThat(idle.after()).isEqualTo(10);
        assertThat(active.poll()).isNotNull();
        assertThat(newcomer.poll()).isNotNull();
        assertThat(backlogs.bytes()).isZero();
    }

    @Test
    void whoAsksInTimeKeepsItsOwnAndTheNewcomerExpires() {
        Backlogs.Backlog active = holding(3, 30);
        Backlogs.Backlog newcomer = backlogs.open(10);
        assertExpired(() -> newcomer.add(commit(11, 30)));
        assertExpired(newcomer::poll);
        for (long position = 11; position <= 13; position++) {
            assertThat(active.poll()).isEqualTo(commit(position, 30));
            assertThat(active.after()).isEqualTo(position);
        }
        assertThat(active.poll()).isNull();
        assertThat(backlogs.bytes()).isZero();
    }

    /** A feed that is shown one large commit in many polls takes nothing from its backlog meanwhile. */
    @Test
    void whoIsPolledForMoreOfTheLastCommitKeepsItsOwn() {
        Backlogs.Backlog slow = holding(3, 30);
        assertThat(slow.poll()).isNotNull();
        idle();
        slow.keep();
        assertExpired(() -> holding(1, 90));
        assertThat(slow.poll()).isNotNull();
    }

    @Test
    void oneThatExpiredWhileItIsFilledHoldsNothingMore() {
        Backlogs.Backlog filling = holding(1, 60);
        idle();
        Backlogs.Backlog other = holding(1, 60);
        assertExpired(() -> filling.add(commit(12, 30)));
        assertThat(backlogs.bytes()).isEqualTo(60);
        assertThat(other.poll()).isNotNull();
    }

    @Test
    void oneThatCannotFitCostsNobodyAnything() {
        Backlogs.Backlog idle = holding(1, 30);
        idle();
        Backlogs.Backlog huge = backlogs.open(10);
        assertExpired(() -> huge.add(commit(11, BYTES_MAX + 1)));
        assertThat(idle.poll()).isNotNull();
    }

    @Test
    void whatIsDroppedMakesRoom() {
        Backlogs.Backlog first = holding(3, 30);
        first.drop();
        assertThat(first.after()).as("continues from there").isEqualTo(10);
        assertThat(holding(3, 30).poll()).isNotNull();
    }
}
