/**
 * The hash family: {@link io.polytable.redis.command.hash.HashCommands}.
 */
@NullMarked
package io.polytable.redis.command.hash;

import org.jspecify.annotations.NullMarked;
