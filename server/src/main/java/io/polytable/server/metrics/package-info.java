/**
 * Numbers about a running server, for Prometheus.
 *
 * <p>The hot path only counts: a face adds to plain arrays of its own ({@link
 * io.polytable.server.metrics.LatencyCounts} is one such array), and never sees a metrics library.
 * When somebody scrapes, every {@link io.polytable.server.metrics.MetricSource} pours its present
 * numbers into a {@link io.polytable.server.metrics.MetricSink}. So a command costs a few
 * nanoseconds of counting, and what a scrape costs is paid by the scrape.
 *
 * <p>{@link io.polytable.server.metrics.Prometheus} is the only class here that knows Micrometer,
 * which adds what it knows of the Java machine.
 */
@NullMarked
package io.polytable.server.metrics;

import org.jspecify.annotations.NullMarked;
