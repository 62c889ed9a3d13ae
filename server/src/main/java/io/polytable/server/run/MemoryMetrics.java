package io.polytable.server.run;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.metrics.Labels;
import io.polytable.server.metrics.Metric;
import io.polytable.server.metrics.MetricSink;

/** The memory plan as metrics: each share's use, where it is counted, and its limit. */
final class MemoryMetrics {
    private static final Metric USED =
            new Metric("polytable_memory_share_bytes", "Memory that a share of the plan holds");
    private static final Metric LIMIT =
            new Metric("polytable_memory_share_limit_bytes", "Memory that a share of the plan may hold");

    private MemoryMetrics() {}

    /** @param rowBytes what the store counts of its rows in memory */
    static void sample(MemoryPlan plan, long rowBytes, MetricSink sink) {
        plan.forEach((share, budget) -> {
            Labels labels = Labels.of("share", share);
            sink.gauge(LIMIT, labels, (double) budget.limitBytes());
            if (MemoryShares.isCounted(share)) {
                long held = share.equals(MemoryShares.ROWS) ? rowBytes : budget.heldBytes();
                sink.gauge(USED, labels, (double) held);
            }
        });
        Labels pool = Labels.of("share", "pool");
        sink.gauge(LIMIT, pool, (double) plan.poolBytes());
        sink.gauge(USED, pool, (double) plan.lentBytes());
    }
}
