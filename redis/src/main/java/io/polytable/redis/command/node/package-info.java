/**
 * The running server as its commands see it.
 *
 * <p>{@link io.polytable.redis.command.node.Node} is passed to every family that needs the server: its connections
 * ({@link io.polytable.redis.command.node.Clients}), its counters ({@link io.polytable.redis.command.node.Statistics}),
 * the slow log, CLIENT PAUSE. Each event loop counts in its own {@code Tally}; {@code Statistics} sums them on demand.
 */
@NullMarked
package io.polytable.redis.command.node;

import org.jspecify.annotations.NullMarked;
