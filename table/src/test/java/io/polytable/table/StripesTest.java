package io.polytable.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StripesTest {
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
}
