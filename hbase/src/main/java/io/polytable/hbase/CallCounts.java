package io.polytable.hbase;

import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.LatencyCounts;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.hbase.rpc.CallListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Call counts, latencies and failures of each method of HBase's services. */
final class CallCounts implements CallListener {
    private static final Metric SECONDS =
            new Metric("polytable_hbase_call_seconds", "Execution time of HBase calls, by service and method");
    private static final Metric FAILED =
            new Metric("polytable_hbase_calls_failed", "HBase calls that returned an error, by service and method");

    private record Of(String service, String method) {}

    private record Counts(LatencyCounts latencies, LongAdder failed) {}

    private final Map<Of, Counts> counts = new ConcurrentHashMap<>();

    @Override
    public void answered(String service, String method, long nanos, boolean failed) {
        Counts counted = counts.computeIfAbsent(
                new Of(service, method), fresh -> new Counts(new LatencyCounts(), new LongAdder()));
        counted.latencies().record(nanos);
        if (failed) {
            counted.failed().increment();
        }
    }

    void sample(MetricSink sink) {
        counts.forEach((of, counted) -> {
            Labels labels = Labels.of("service", of.service(), "method", of.method());
            sink.histogram(SECONDS, labels, counted.latencies().read());
            sink.counter(FAILED, labels, (double) counted.failed().sum());
        });
    }
}
