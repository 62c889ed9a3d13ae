package io.polytable.server.metrics;

import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.LatencyCounts;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects one scrape's metrics in the library's form, the points of a metric together under its name. */
final class SnapshotSink implements MetricSink {
    private final Map<Metric, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<Metric, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final List<InfoSnapshot> infos = new ArrayList<>();
    private final Map<Metric, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

    @Override
    public void counter(Metric metric, Labels labels, double value) {
        counters.computeIfAbsent(
                        metric,
                        named -> CounterSnapshot.builder().name(named.name()).help(named.help()))
                .dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                        .labels(convert(labels))
                        .value(value)
                        .build());
    }

    @Override
    public void gauge(Metric metric, Labels labels, double value) {
        gauges.computeIfAbsent(
                        metric,
                        named -> GaugeSnapshot.builder().name(named.name()).help(named.help()))
                .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .labels(convert(labels))
                        .value(value)
                        .build());
    }

    @Override
    public void info(Metric metric, Labels labels) {
        infos.add(InfoSnapshot.builder()
                .name(metric.name())
                .help(metric.help())
                .dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder()
                        .labels(convert(labels))
                        .build())
                .build());
    }

    @Override
    public void histogram(Metric metric, Labels labels, LatencyCounts.Reading reading) {
        histograms
                .computeIfAbsent(
                        metric,
                        named -> HistogramSnapshot.builder().name(named.name()).help(named.help()))
                .dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                        .labels(convert(labels))
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(reading.boundsSeconds(), reading.counts()))
                        .sum(reading.sumSeconds())
                        .build());
    }

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        infos.forEach(all::metricSnapshot);
        counters.values().forEach(counter -> all.metricSnapshot(counter.build()));
        gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
        histograms.values().forEach(histogram -> all.metricSnapshot(histogram.build()));
        return all.build();
    }

    private static io.prometheus.metrics.model.snapshots.Labels convert(Labels labels) {
        return io.prometheus.metrics.model.snapshots.Labels.of(labels.names(), labels.values());
    }
}
