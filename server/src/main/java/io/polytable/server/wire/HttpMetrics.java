package io.polytable.server.wire;

import io.polytable.frontend.http.Route;
import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.LatencyCounts;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.metric.MetricSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/** Counters of the HTTP port. Its keys are our own routes, never client input, so it cannot grow. */
final class HttpMetrics implements MetricSource {
    private static final Metric CONNECTIONS = new Metric("polytable_http_connections", "Open HTTP connections");
    private static final Metric REQUESTS = new Metric("polytable_http_requests", "HTTP requests, by path and status");
    private static final Metric SECONDS =
            new Metric("polytable_http_request_seconds", "Time from request to response, by path");

    private final IntSupplier connections;
    private final Map<Outcome, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Map<String, LatencyCounts> latencies = new ConcurrentHashMap<>();

    private record Outcome(String path, int status) {}

    HttpMetrics(IntSupplier connections) {
        this.connections = connections;
    }

    void answered(Route route, int status, long nanos) {
        outcomes.computeIfAbsent(new Outcome(route.path(), status), first -> new LongAdder())
                .increment();
        latencies.computeIfAbsent(route.path(), first -> new LatencyCounts()).record(nanos);
    }

    @Override
    public void sample(MetricSink sink) {
        sink.gauge(CONNECTIONS, Labels.NONE, connections.getAsInt());
        outcomes.forEach((outcome, count) -> sink.counter(
                REQUESTS, Labels.of("path", outcome.path(), "status", Integer.toString(outcome.status())), (double)
                        count.sum()));
        latencies.forEach((path, counts) -> sink.histogram(SECONDS, Labels.of("path", path), counts.read()));
    }
}
