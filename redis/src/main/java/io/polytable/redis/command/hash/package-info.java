/**
 * The hash family: {@link io.polytable.redis.command.hash.HashCommands}, over {@link io.polytable.redis.model.hash}.
 */
@NullMarked
package io.polytable.redis.command.hash;

import org.jspecify.annotations.NullMarked;
