package io.polytable.frontend.metric;

/** A source of metrics. Called from the scraping thread, at any time while the server runs. */
@FunctionalInterface
public interface MetricSource {
    void sample(MetricSink sink);
}
