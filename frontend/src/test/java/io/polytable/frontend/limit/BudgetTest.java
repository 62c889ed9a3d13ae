package io.polytable.frontend.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private final Budget.Pool pool = new Budget.Pool(100);
    private final Budget first = Budget.borrowing("first", 120, 20, pool);
    private final Budget second = Budget.borrowing("second", 120, 20, pool);

    @Test
    void takesAllOrNothing() {
        Budget budget = Budget.of("alone", 10);
        assertThat(budget.tryTake(10)).isTrue();
        assertThat(budget.tryTake(1)).isFalse();
        assertThat(budget.heldBytes()).isEqualTo(10);
        budget.release(4);
        assertThat(budget.tryTake(4)).isTrue();
        assertThat(budget.isFull()).isFalse();
    }

    @Test
    void somethingLargerThanTheBudgetGetsItsTurnAlone() {
        Budget budget = Budget.of("alone", 10);
        assertThat(budget.takeUnlessFull(50)).isTrue();
        assertThat(budget.takeUnlessFull(1)).isFalse();
        assertThat(budget.isFull()).isTrue();
        budget.release(50);
        assertThat(budget.takeUnlessFull(1)).isTrue();
    }

    @Test
    void oneThatBorrowsAllLeavesTheOthersTheirFloor() {
        assertThat(first.tryTake(120)).isTrue();
        assertThat(second.tryTake(21)).isFalse();
        assertThat(second.tryTake(20)).isTrue();
        assertThat(second.tryTake(1)).isFalse();
        first.release(1);
        assertThat(second.tryTake(1)).isTrue();
        assertThat(pool.lentBytes()).isEqualTo(100);
    }

    @Test
    void aRefusedTakeLeavesNoTrace() {
        assertThat(first.tryTake(121)).isFalse();
        assertThat(first.heldBytes()).isZero();
        assertThat(pool.lentBytes()).isZero();
    }

    @Test
    void memoryThatIsAllocatedAlreadyIsCountedBeyondTheLimit() {
        first.take(200);
        assertThat(first.isFull()).isTrue();
        assertThat(first.leftBytes()).isEqualTo(-80);
        assertThat(second.takeUnlessFull(30)).isFalse();
        first.release(200);
        assertThat(pool.lentBytes()).isZero();
        assertThat(second.takeUnlessFull(30)).isTrue();
    }

    @Test
    void aLimitIsLoweredAndRaisedWithinThePlan() {
        first.limit(10);
        assertThat(first.tryTake(11)).isFalse();
        first.limit(1000);
        assertThat(first.limitBytes()).isEqualTo(120);
    }

    @Test
    void thePoolIsEmptyAfterManyThreadsTookAndReleased() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            Random random = new Random(i);
            Budget budget = i % 2 == 0 ? first : second;
            threads.add(new Thread(() -> churn(start, random, budget)));
        }
        threads.forEach(Thread::start);
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(first.heldBytes()).isZero();
        assertThat(second.heldBytes()).isZero();
        assertThat(pool.lentBytes()).isZero();
    }

    private static void churn(CountDownLatch start, Random random, Budget budget) {
        try {
            start.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return;
        }
        for (int i = 0; i < 20_000; i++) {
            int bytes = random.nextInt(60);
            if (random.nextInt(10) == 0) {
                budget.take(bytes);
                budget.release(bytes);
            } else if (random.nextBoolean() ? budget.tryTake(bytes) : budget.takeUnlessFull(bytes)) {
                budget.release(bytes);
            }
        }
    }
}
