/**
 * HyperLogLogs, which to every other command are strings. {@link io.polytable.redis.model.hyperloglog.HyperLogLogs} has the
 * operations; {@link io.polytable.redis.model.hyperloglog.Sketch} is the value, byte for byte as Redis keeps it, so that GET,
 * DUMP and a restore elsewhere agree.
 */
@NullMarked
package io.polytable.redis.model.hyperloglog;

import org.jspecify.annotations.NullMarked;
