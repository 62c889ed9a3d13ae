package io.polytable.entity.cassandra.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class WriteClockTest {
    private static final long SECOND = 1_000_000;

    /** What the program's clock says, and how much time has passed, both in microseconds. */
    private final AtomicLong shown = new AtomicLong(1000 * SECOND);

    private final AtomicLong passed = new AtomicLong();

    private WriteClock following(long... theirs) {
        InstantSource source = () -> Instant.EPOCH.plus(shown.get(), ChronoUnit.MICROS);
        AtomicInteger answers = new AtomicInteger();
        LongSupplier node = () -> theirs[answers.getAndIncrement() % theirs.length];
        return WriteClock.following(source, () -> TimeUnit.MICROSECONDS.toNanos(passed.get()), node);
    }

    @Test
    void aClockThatIsRightIsLeftAlone() {
        WriteClock clock = following(1000 * SECOND + 5000);
        assertThat(clock.nowMillis()).isEqualTo(1_000_000);
        assertThat(clock.nextMicros()).isEqualTo(1000 * SECOND);
        assertThat(clock.nextMicros()).as("later than the one before").isEqualTo(1000 * SECOND + 1);
        shown.addAndGet(SECOND);
        assertThat(clock.nowMillis()).isEqualTo(1_001_000);
    }

    @Test
    void aClockThatIsWrongFollowsTheNodes() {
        WriteClock clock = following(400 * SECOND);
        assertThat(clock.nowMillis()).isEqualTo(400_000);
        passed.addAndGet(3 * SECOND);
        assertThat(clock.nowMillis()).isEqualTo(403_000);
    }

    @Test
    void aClockThatIsPutRightLaterDoesNotTurnBackTime() {
        WriteClock clock = following(400 * SECOND);
        passed.addAndGet(SECOND);
        shown.set(401 * SECOND);
        assertThat(clock.nowMillis()).isEqualTo(401_000);
    }

    @Test
    void oneNodeThatIsWrongIsNotFollowed() {
        assertThat(following(400 * SECOND, 1000 * SECOND, 1000 * SECOND).nowMillis())
                .as("others agree with the program")
                .isEqualTo(1_000_000);
        assertThat(following(990 * SECOND, 400 * SECOND, 990 * SECOND).nowMillis())
                .as("others agree with each other")
                .isEqualTo(990_000);
    }

    @Test
    void slowAnswersDoNotMakeAWrongClockRight() {
        InstantSource source = () -> Instant.EPOCH.plus(shown.get(), ChronoUnit.MICROS);
        AtomicInteger answers = new AtomicInteger();
        LongSupplier node = () -> {
            long took = answers.getAndIncrement() < 2 ? SECOND / 5 : 1000;
            shown.addAndGet(took);
            passed.addAndGet(took);
            return shown.get() - took / 2 - SECOND / 10;
        };
        WriteClock clock = WriteClock.following(source, () -> TimeUnit.MICROSECONDS.toNanos(passed.get()), node);
        assertThat(clock.nowMillis())
                .as("a tenth of a second behind the program's")
                .isEqualTo((shown.get() - SECOND / 10) / 1000);
    }
}
