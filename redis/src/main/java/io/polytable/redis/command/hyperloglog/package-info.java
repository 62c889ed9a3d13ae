/** The HyperLogLog family: {@link io.polytable.redis.command.hyperloglog.HyperLogLogCommands}. */
@NullMarked
package io.polytable.redis.command.hyperloglog;

import org.jspecify.annotations.NullMarked;
