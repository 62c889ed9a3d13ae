package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySharesTest {
    private static final int STEP_BYTES = 64 << 10;

    private static MemoryPlan plan(int heapMegabytes, String... words) {
        Settings settings = ServerCatalog.load(List.of(words), Map.of());
        return MemoryShares.of(settings, (long) heapMegabytes << 20);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 65, 100, 128, 256, 512, 1024, 8192, 200_000})
    void whatIsPlannedFitsIntoEveryHeap(int heapMegabytes) {
        long heap = (long) heapMegabytes << 20;
        MemoryPlan plan = plan(heapMegabytes);
        assertThat(plan.plannedBytes()).isLessThanOrEqualTo(MemoryPlan.limitBytes(heap));
        assertThat(plan.poolBytes()).isGreaterThanOrEqualTo(heap / 8);
        assertThat(plan.budget(MemoryShares.ROWS).limitBytes()).isEqualTo((long) (heap * 0.4));
    }

    /** Fluss' client has a minimum for each connection: rows give way to it, and below some size it does not fit. */
    @ParameterizedTest
    @CsvSource({"64, false", "256, true", "512, true", "8192, true"})
    void fitsWithTheLogInFluss(int heapMegabytes, boolean projection) {
        MemoryPlan plan = plan(
                heapMegabytes,
                "--store.log=fluss",
                "--fluss.bootstrap.servers=localhost:1",
                "--fluss.projection.enabled=" + projection);
        long heap = (long) heapMegabytes << 20;
        assertThat(plan.plannedBytes()).isLessThanOrEqualTo(MemoryPlan.limitBytes(heap));
        assertThat(plan.budget(MemoryShares.ROWS).limitBytes()).isGreaterThanOrEqualTo(heap / 8);
    }

    @Test
    void configuredRowsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> plan(256, "--memory.rows=200mb"))
                .isInstanceOf(SettingException.class)
                .hasMessageMatching("the memory plan needs \\d+ MB, and a heap of 256 MB has 213 MB for it;"
                        + " lower memory.rows or raise memory.heap");
        assertThat(plan(256, "--memory.rows=128mb").budget(MemoryShares.ROWS).limitBytes())
                .isEqualTo(128L << 20);
    }

    @Test
    void aDisabledProtocolLeavesItsSharesToTheOthers() {
        MemoryPlan all = plan(256);
        MemoryPlan redis = plan(256, "--hbase.enabled=false", "--sql.enabled=false");
        assertThat(redis.poolBytes()).isGreaterThan(all.poolBytes());
        assertThatThrownBy(() -> redis.budget("hbase.requests")).hasMessageContaining("no share");
    }

    /** Every purpose of every protocol takes all it gets, at the same time. */
    @ParameterizedTest
    @ValueSource(ints = {64, 256, 1024})
    void allSharesAtTheirLimitsHoldWhatIsPlannedAtMost(int heapMegabytes) throws InterruptedException {
        MemoryPlan plan = plan(heapMegabytes);
        List<Budget> inHeap = new ArrayList<>();
        plan.forEach((share, budget) -> {
            boolean outside = Set.of("redis.output", "redis.lua", "hbase.responses", "sql.memory", MemoryShares.BLOCKS)
                    .contains(share);
            if (!outside) {
                inHeap.add(budget);
            }
        });
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = inHeap.stream()
                .map(budget -> new Thread(() -> fill(start, budget)))
                .toList();
        threads.forEach(Thread::start);
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        long held = inHeap.stream().mapToLong(Budget::heldBytes).sum();
        assertThat(held).isLessThanOrEqualTo(plan.plannedBytes());
        assertThat(held).isGreaterThan(plan.plannedBytes() - (long) STEP_BYTES * 2 * inHeap.size());
        assertThat(inHeap).allSatisfy(budget -> {
            assertThat(budget.tryTake(STEP_BYTES)).as(budget.name()).isFalse();
            assertThat(budget.heldBytes()).as("%s has its floor", budget.name()).isPositive();
        });
    }

    private static void fill(CountDownLatch start, Budget budget) {
        try {
            start.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return;
        }
        boolean taken = true;
        while (taken) {
            taken = budget.tryTake(STEP_BYTES);
        }
    }
}
