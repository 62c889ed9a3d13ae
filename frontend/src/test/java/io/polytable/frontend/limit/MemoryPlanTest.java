package io.polytable.frontend.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryPlanTest {
    private static final long HEAP = 600L << 20;

    private static MemoryPlan.Builder builder() {
        return MemoryPlan.of(HEAP)
                .fixed("rows", 240L << 20)
                .borrowing("requests", 100L << 20, 10L << 20)
                .borrowing("replies", 150L << 20, 10L << 20)
                .pool(200L << 20);
    }

    @Test
    void limitsMayExceedTheHeapTogetherWhatIsHeldMayNot() {
        MemoryPlan plan = builder().build();
        assertThat(plan.plannedBytes()).isEqualTo(460L << 20);
        assertThat(plan.budget("requests").tryTake(100L << 20)).isTrue();
        assertThat(plan.budget("replies").tryTake(150L << 20)).isFalse();
        assertThat(plan.budget("replies").tryTake(120L << 20)).isTrue();
        assertThat(plan.lentBytes()).isEqualTo(plan.poolBytes());
    }

    @Test
    void aPlanAboveItsLimitIsRefused() {
        MemoryPlan.Builder tooMuch = builder().fixed("cache", 50L << 20);
        assertThatThrownBy(tooMuch::build)
                .isInstanceOf(MemoryPlanException.class)
                .hasMessage("the memory plan needs 510 MB, and a heap of 600 MB has 500 MB for it;"
                        + " lower memory.rows or raise memory.heap");
    }

    @Test
    void aShareOutsideTheHeapIsListedAndDoesNotAddToTheSum() {
        MemoryPlan plan = builder().outside("unsent", 300L << 20).build();
        assertThat(plan.plannedBytes()).isEqualTo(builder().build().plannedBytes());
        assertThat(plan.budget("unsent").tryTake(300L << 20)).isTrue();
        assertThat(plan.lentBytes()).isZero();
        assertThat(plan.lines()).anyMatch(line -> line.matches("unsent \\(outside\\) +300 MB"));
    }

    @Test
    void whatIsLeftIsBoundedByThePoolToo() {
        MemoryPlan plan = builder().build();
        plan.budget("replies").take(150L << 20);
        assertThat(plan.budget("requests").leftBytes()).isEqualTo(70L << 20);
        assertThat(plan.budget("requests").tryTake(70L << 20)).isTrue();
        assertThat(plan.budget("requests").leftBytes()).isZero();
    }

    @Test
    void noShareIsPlannedTwice() {
        assertThatThrownBy(() -> builder().fixed("rows", 1)).hasMessage("share rows is planned twice");
        assertThatThrownBy(() -> builder().build().budget("colums")).hasMessage("the memory plan has no share colums");
    }

    @Test
    void thePlanIsPrinted() {
        assertThat(builder().build().lines())
                .containsExactly(
                        "share                               floor        limit",
                        "rows                               240 MB       240 MB",
                        "requests                            10 MB       100 MB",
                        "replies                             10 MB       150 MB",
                        "common pool                                     200 MB",
                        "planned                            460 MB       500 MB",
                        "heap                                            600 MB");
    }
}
