package io.polytable.server.run;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.server.config.MemoryShares;
import java.util.Optional;

/** The memory plan as metrics: each share's use, where it is counted, and its limit. */
final class MemoryMetrics {
    private static final Metric USED =
            new Metric("polytable_memory_share_bytes", "Memory that a share of the plan holds");
    private static final Metric LIMIT =
            new Metric("polytable_memory_share_limit_bytes", "Memory that a share of the plan may hold");

    private MemoryMetrics() {}

    /** @param store counts what its rows and blocks take */
    static void sample(MemoryPlan plan, Optional<RunningStore> store, MetricSink sink) {
        plan.forEach((share, budget) -> {
            Labels labels = Labels.of("share", share);
            sink.gauge(LIMIT, labels, (double) budget.limitBytes());
            if (MemoryShares.isCounted(share)) {
                sink.gauge(USED, labels, (double) held(share, budget, store));
            }
        });
        Labels pool = Labels.of("share", "pool");
        sink.gauge(LIMIT, pool, (double) plan.poolBytes());
        sink.gauge(USED, pool, (double) plan.lentBytes());
    }

    private static long held(String share, Budget budget, Optional<RunningStore> store) {
        return switch (share) {
            case MemoryShares.ROWS -> store.map(RunningStore::rowBytes).orElse(0L);
            case MemoryShares.BLOCKS -> store.map(RunningStore::blockBytes).orElse(0L);
            default -> budget.heldBytes();
        };
    }
}
