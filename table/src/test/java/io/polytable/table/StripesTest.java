package io.polytable.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StripesTest {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LATER = Duration.ofMinutes(1);

    private final Stripes stripes = new Stripes();

    @Test
    void aPartitionAlwaysHasTheSameStripeAndPartitionsSpread() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            int stripe = stripes.stripeOf(Bytes.utf8("key:" + i));
            assertThat(stripes.stripeOf(Bytes.utf8("key:" + i))).isEqualTo(stripe);
            seen.add(stripe);
        }
        assertThat(seen).hasSizeGreaterThan(400);
    }

    @Test
    void theSameStripeTwiceIsTakenAndFreedTwice() throws Exception {
        int[] both = {7, 3, 7};
        stripes.lockAll(both);
        stripes.unlockAll(both);
        CompletableFuture.runAsync(() -> {
                    stripes.lock(7);
                    stripes.unlock(7);
                })
                .get(10, TimeUnit.SECONDS);
    }

    @Test
    void whoTakesManyInAnyOrderNeverWaitsInACircle() {
        int[] counter = {0};
        CompletableFuture<?>[] workers = IntStream.range(0, 4)
                .mapToObj(worker -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 2000; i++) {
                        int[] wanted = worker % 2 == 0 ? new int[] {1, 2, 3} : new int[] {3, 2, 1};
                        stripes.lockAll(wanted);
                        counter[0]++;
                        stripes.unlockAll(wanted);
                    }
                }))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(workers).orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(counter[0]).isEqualTo(8000);
    }

    @Test
    void whoHoldsEverythingHoldsEachStripe() throws Exception {
        stripes.lockEverything();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            stripes.lock(500);
            stripes.unlock(500);
        });
        assertThat(isDone(other)).isFalse();
        stripes.unlockEverything();
        other.get(10, TimeUnit.SECONDS);
    }

    private static boolean isDone(CompletableFuture<Void> future) throws Exception {
        try {
            future.get(20, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    @Test
    void aBoundedWaitTakesAllOrNothing() throws Exception {
        stripes.lock(5);
        CompletableFuture<Boolean> late =
                CompletableFuture.supplyAsync(() -> stripes.tryLockAll(new int[] {9, 5, 2}, SOON, () -> false));
        assertThat(late.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(isFree(2)).isTrue();
        assertThat(isFree(9)).isTrue();
        stripes.unlock(5);
        int[] wanted = {9, 5, 2};
        CompletableFuture<Boolean> inTime = CompletableFuture.supplyAsync(() -> {
            boolean taken = stripes.tryLockAll(wanted, LATER, () -> false);
            stripes.unlockAll(wanted);
            return taken;
        });
        assertThat(inTime.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(isFree(5)).isTrue();
    }

    @Test
    void aWaitEndsWhenItIsCancelledOrInterrupted() throws Exception {
        AtomicBoolean cancelled = new AtomicBoolean();
        stripes.lock(5);
        try {
            CompletableFuture<Boolean> waiting =
                    CompletableFuture.supplyAsync(() -> stripes.tryLockEverything(LATER, cancelled::get));
            cancelled.set(true);
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isFalse();
            CompletableFuture<Boolean> told = new CompletableFuture<>();
            Thread thread = new Thread(() -> told.complete(!stripes.tryLockAll(new int[] {5}, LATER, () -> false)
                    && Thread.currentThread().isInterrupted()));
            thread.start();
            thread.interrupt();
            assertThat(told.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(isFree(0)).isTrue();
        } finally {
            stripes.unlock(5);
        }
    }

    private boolean isFree(int stripe) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    boolean taken = stripes.tryLockAll(new int[] {stripe}, SOON, () -> false);
                    if (taken) {
                        stripes.unlock(stripe);
                    }
                    return taken;
                })
                .get(10, TimeUnit.SECONDS);
    }
}
