package io.polytable.server.metrics;

/** Something that has numbers to show. Called from the scraping thread, at any time while the server runs. */
@FunctionalInterface
public interface MetricSource {
    void sample(MetricSink sink);
}
