package io.polytable.store.fluss.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a walk over the changes of a bucket may end. */
class IdleDetectorTest {
    private static final Duration QUIET = Duration.ofSeconds(3);

    private long nanos;
    private int questions;
    private boolean isDown;
    private final IdleDetector silence = new IdleDetector(QUIET, this::ask, () -> nanos);

    private void ask() {
        questions++;
        if (isDown) {
            throw new StoreException(StoreError.IO, "The cluster does not answer");
        }
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void endsAfterTwoQuietTimesWithAnAnswerBetweenThem() {
        pass(QUIET);
        assertThat(silence.isTheEnd()).isFalse();
        assertThat(questions).isEqualTo(1);
        pass(QUIET.dividedBy(2));
        assertThat(silence.isTheEnd()).isFalse();
        pass(QUIET.dividedBy(2));
        assertThat(silence.isTheEnd()).isTrue();
        assertThat(questions).isEqualTo(1);
    }

    @Test
    void whateverComesBeginsItAnew() {
        pass(QUIET);
        assertThat(silence.isTheEnd()).isFalse();
        silence.broken();
        pass(QUIET);
        assertThat(silence.isTheEnd()).isFalse();
        pass(QUIET);
        assertThat(silence.isTheEnd()).isTrue();
        assertThat(questions).isEqualTo(2);
    }

    /** A server that failed over says nothing either, and its rows are not at their end. */
    @Test
    void aClusterThatDoesNotAnswerIsNotTheEnd() {
        isDown = true;
        pass(QUIET);
        assertThatExceptionOfType(StoreException.class).isThrownBy(silence::isTheEnd);
    }
}
