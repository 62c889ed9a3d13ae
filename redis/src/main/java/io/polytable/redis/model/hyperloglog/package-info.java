/**
 * HyperLogLogs, which are strings to every other command. {@link io.polytable.redis.model.hyperloglog.HyperLogLogs}
 * has the operations; {@code Sketch} is the value, byte for byte as in Redis, so that GET, DUMP and a restore
 * elsewhere agree. {@code Estimator} computes the cardinality from its registers.
 */
@NullMarked
package io.polytable.redis.model.hyperloglog;

import org.jspecify.annotations.NullMarked;
