/**
 * Metrics of a running server, for Prometheus.
 *
 * <p>The hot path only counts: a frontend adds to plain arrays of its own ({@link
 * io.polytable.server.metrics.LatencyCounts} is one such array), and does not use a metrics library.
 * At scrape time every {@link io.polytable.server.metrics.MetricSource} reports its current
 * values to a {@link io.polytable.server.metrics.MetricSink}. So a command pays a few
 * nanoseconds for counting, and the scrape pays for the rest.
 *
 * <p>{@link io.polytable.server.metrics.Prometheus} is the only class here that uses Micrometer,
 * which adds the metrics of the JVM.
 */
@NullMarked
package io.polytable.server.metrics;

import org.jspecify.annotations.NullMarked;
