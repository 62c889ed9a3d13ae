package io.polytable.server.metrics;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.polytable.frontend.metric.MetricSource;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All sources and the JVM's metrics, in the Prometheus text format. */
public final class Prometheus implements AutoCloseable {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();

    /** Grows while the server starts; scrapes may run already. */
    private final List<MetricSource> sources = new CopyOnWriteArrayList<>();

    public Prometheus() {
        MultiCollector collector = () -> {
            SnapshotSink sink = new SnapshotSink();
            sources.forEach(source -> source.sample(sink));
            return sink.snapshots();
        };
        registry.getPrometheusRegistry().register(collector);
        List<MeterBinder> machine = List.of(
                garbageCollection,
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ProcessorMetrics(),
                new FileDescriptorMetrics(),
                new UptimeMetrics());
        machine.forEach(binder -> binder.bindTo(registry));
    }

    public void add(MetricSource source) {
        sources.add(source);
    }

    public String scrape() {
        return registry.scrape(CONTENT_TYPE);
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }
}
