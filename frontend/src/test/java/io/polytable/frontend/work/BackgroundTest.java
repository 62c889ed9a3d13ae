package io.polytable.frontend.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class BackgroundTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private static long failures(String name) {
        return Background.failures().getOrDefault(name, 0L);
    }

    @Test
    void aTaskThatFailsIsCountedAndRunAgain() {
        AtomicInteger runs = new AtomicInteger();
        try (Background background = new Background("failing", Duration.ofMinutes(1))) {
            background.every(SHORT, () -> {
                if (runs.incrementAndGet() <= 2) {
                    throw new IllegalStateException("the test wants it");
                }
            });
            Await.until("the task runs again", () -> runs.get() > 4);
        }
        assertThat(failures("failing")).isEqualTo(2);
    }

    @Test
    void aTaskEndsWithItsStore() {
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        try (Background background = new Background("ended", Duration.ofMinutes(1))) {
            background.every(SHORT, () -> {
                runs.incrementAndGet();
                throw new StoreException(StoreError.CLOSED, "the store is closed");
            });
            background.every(SHORT, others::incrementAndGet);
            Await.until("another task continues", () -> others.get() > 20);
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void theEndWaitsForTheRunningTaskAndStartsNoOther() {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        Background background = new Background("patient", Duration.ofMinutes(2));
        assertThat(background.now(() -> {
                    begun.countDown();
                    Await.until("the end is asked for", background::isClosing);
                    ended.set(true);
                }))
                .isTrue();
        AtomicBoolean queued = new AtomicBoolean();
        background.now(() -> queued.set(true));
        Await.until("the task runs", () -> begun.getCount() == 0);
        background.close();
        assertThat(ended).isTrue();
        assertThat(queued).isFalse();
        assertThat(background.now(() -> {})).isFalse();
    }

    @Test
    void aTaskThatWaitsTooLongIsInterrupted() {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Background background = new Background("impatient", Duration.ZERO);
        background.now(() -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException wanted) {
                interrupted.set(true);
            }
        });
        Await.until("the task runs", () -> begun.getCount() == 0);
        background.close();
        assertThat(interrupted).isTrue();
    }
}
