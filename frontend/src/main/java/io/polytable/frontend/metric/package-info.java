/**
 * The metrics of frontends.
 *
 * <p>The hot path only counts: a frontend adds to plain arrays of its own ({@link
 * io.polytable.frontend.metric.LatencyCounts} is one such array), and does not use a metrics library. At scrape time
 * every {@link io.polytable.frontend.metric.MetricSource} reports its current values to a {@link
 * io.polytable.frontend.metric.MetricSink}. So a command pays a few nanoseconds for counting, and the scrape pays for the
 * rest.
 */
@NullMarked
package io.polytable.frontend.metric;

import org.jspecify.annotations.NullMarked;
