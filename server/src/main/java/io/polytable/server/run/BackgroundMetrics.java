package io.polytable.server.run;

import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.work.Background;

/** The failures of background work as a metric. */
final class BackgroundMetrics {
    private static final Metric FAILURES = new Metric(
            "polytable_background_failures", "Background tasks that failed and are tried again, by their thread");

    private BackgroundMetrics() {}

    static void sample(MetricSink sink) {
        Background.failures()
                .forEach((name, count) -> sink.counter(FAILURES, Labels.of("thread", name), (double) count));
    }
}
