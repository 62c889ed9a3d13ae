package io.polytable.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.LatencyCounts;
import io.polytable.frontend.metric.Metric;
import org.junit.jupiter.api.Test;

class PrometheusTest {
    private static final Metric COMMANDS = new Metric("test_commands", "Commands by name");
    private static final Metric OPEN = new Metric("test_open", "Open things");
    private static final Metric SECONDS = new Metric("test_seconds", "Time taken");

    @Test
    void showsWhatSourcesPour() {
        LatencyCounts latencies = new LatencyCounts();
        latencies.record(1_000);
        latencies.record(3_000);
        try (Prometheus prometheus = new Prometheus()) {
            prometheus.add(sink -> {
                sink.counter(COMMANDS, Labels.of("command", "get"), 3);
                sink.counter(COMMANDS, Labels.of("command", "set"), 4);
                sink.gauge(OPEN, Labels.NONE, 7);
                sink.histogram(SECONDS, Labels.of("command", "get"), latencies.read());
            });
            assertThat(prometheus.scrape())
                    .contains(
                            "# HELP test_commands_total Commands by name\n# TYPE test_commands_total counter\n",
                            "test_commands_total{command=\"get\"} 3.0\n",
                            "test_commands_total{command=\"set\"} 4.0\n",
                            "test_open 7.0\n",
                            "test_seconds_bucket{command=\"get\",le=\"1.0E-6\"} 1\n",
                            "test_seconds_bucket{command=\"get\",le=\"4.0E-6\"} 2\n",
                            "test_seconds_bucket{command=\"get\",le=\"+Inf\"} 2\n",
                            "test_seconds_count{command=\"get\"} 2\n",
                            "jvm_memory_used_bytes{");
        }
    }

    @Test
    void sourcesComeWhileScrapesRun() {
        try (Prometheus prometheus = new Prometheus()) {
            assertThat(prometheus.scrape()).doesNotContain("test_open");
            prometheus.add(sink -> sink.gauge(OPEN, Labels.NONE, 1));
            assertThat(prometheus.scrape()).contains("test_open 1.0\n");
        }
    }
}
