/**
 * The set family: {@link io.polytable.redis.command.set.SetCommands} for members, {@link
 * io.polytable.redis.command.set.SetAlgebraCommands} for unions, intersections and differences.
 */
@NullMarked
package io.polytable.redis.command.set;

import org.jspecify.annotations.NullMarked;
