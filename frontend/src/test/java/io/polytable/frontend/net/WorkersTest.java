package io.polytable.frontend.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WorkersTest {
    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void threadsAndQueueAreBounded() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        AtomicReference<String> name = new AtomicReference<>();
        try (Workers workers = new Workers("some-protocol", 2, 3, 60)) {
            for (int i = 0; i < 5; i++) {
                workers.execute(() -> {
                    name.set(Thread.currentThread().getName());
                    await(mayEnd);
                    ended.incrementAndGet();
                });
            }
            assertThatThrownBy(() -> workers.execute(ended::incrementAndGet))
                    .isInstanceOf(RejectedExecutionException.class);
            mayEnd.countDown();
        }
        assertThat(ended).hasValue(5);
        assertThat(name.get()).startsWith("some-protocol-");
    }

    @Test
    void workThatDoesNotEndInTimeIsInterrupted() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Workers workers = new Workers("some-protocol", 1, 1, 0)) {
            workers.execute(() -> {
                begun.countDown();
                await(never);
                interrupted.countDown();
            });
            begun.await();
        }
        interrupted.await();
    }
}
