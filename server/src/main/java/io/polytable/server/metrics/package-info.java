/**
 * All {@link io.polytable.frontend.metric.MetricSource}s of the process in Prometheus' format. {@link
 * io.polytable.server.metrics.Prometheus} is the only class that uses Micrometer, which adds the metrics of the JVM.
 */
@NullMarked
package io.polytable.server.metrics;

import org.jspecify.annotations.NullMarked;
