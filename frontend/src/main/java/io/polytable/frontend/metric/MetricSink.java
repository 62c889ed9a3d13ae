package io.polytable.frontend.metric;

/** Receives the metrics of a source. Names are Prometheus names without {@code _total}; times are seconds. */
public interface MetricSink {
    /** A counter: it only grows while the process lives. */
    void counter(Metric metric, Labels labels, double value);

    /** A gauge. */
    void gauge(Metric metric, Labels labels, double value);

    /** Constant labels with the value 1. The metric's name is written with the ending {@code _info}. */
    void info(Metric metric, Labels labels);

    /** A histogram of latencies. */
    void histogram(Metric metric, Labels labels, LatencyCounts.Reading reading);
}
