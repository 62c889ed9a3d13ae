package io.polytable.server.metrics;

/**
 * Where a source pours its numbers. Names are Prometheus names without {@code _total}; times are
 * seconds.
 */
public interface MetricSink {
    /** A number that only grows while the process lives. */
    void counter(Metric metric, Labels labels, double value);

    /** A number that goes up and down. */
    void gauge(Metric metric, Labels labels, double value);

    /** How often something took how long. */
    void histogram(Metric metric, Labels labels, LatencyCounts.Reading reading);
}
