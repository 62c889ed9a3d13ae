/**
 * The running server as its commands see it.
 *
 * <p>{@link io.polytable.redis.command.node.Node} is handed to every family that asks about the server: who is connected
 * ({@link io.polytable.redis.command.node.Clients}), what was counted ({@link io.polytable.redis.command.node.Statistics}), what was
 * slow, whether clients are paused. Each event loop counts in its own {@code Tally}; {@code Statistics} adds them up when
 * asked.
 */
@NullMarked
package io.polytable.redis.command.node;

import org.jspecify.annotations.NullMarked;
