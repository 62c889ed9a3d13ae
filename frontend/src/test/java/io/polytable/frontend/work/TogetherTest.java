package io.polytable.frontend.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TogetherTest {
    @Test
    void tasksRunAtTheSameTimeAndTheirResultsAreInOrder() {
        CountDownLatch both = new CountDownLatch(2);
        Callable<Integer> first = () -> meet(both, 1);
        Callable<Integer> second = () -> meet(both, 2);
        assertThat(Together.run("test", 2, List.of(first, second)))
                .extracting(outcome -> outcome.result().orElseThrow())
                .containsExactly(1, 2);
    }

    private static int meet(CountDownLatch both, int result) throws InterruptedException {
        both.countDown();
        both.await();
        return result;
    }

    @Test
    void aFailureDoesNotKeepTheOthersFromTheirResult() {
        Callable<String> broken = () -> {
            throw new UnsatisfiedLinkError("no library");
        };
        List<Together.Outcome<String>> outcomes = Together.run("test", 1, List.of(broken, () -> "well"));
        assertThat(outcomes.get(0).failure()).containsInstanceOf(UnsatisfiedLinkError.class);
        assertThat(outcomes.get(1).result()).contains("well");
    }

    @Test
    void anInterruptionEndsTheTasksAndStays() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        List<Together.Outcome<String>> outcomes = new CopyOnWriteArrayList<>();
        Callable<String> endless = () -> {
            started.countDown();
            new CountDownLatch(1).await();
            return "never";
        };
        AtomicBoolean stays = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            outcomes.addAll(Together.run("test", 1, List.of(endless)));
            stays.set(Thread.currentThread().isInterrupted());
        });
        caller.start();
        started.await();
        caller.interrupt();
        Await.until("the call has ended", () -> !caller.isAlive());
        assertThat(outcomes.get(0).failure()).containsInstanceOf(InterruptedException.class);
        assertThat(stays).isTrue();
    }
}
