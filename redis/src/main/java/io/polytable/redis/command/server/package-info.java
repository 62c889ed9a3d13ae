/**
 * The server as a whole: {@link io.polytable.redis.command.server.ServerCommands} (TIME, SAVE, SHUTDOWN ...),
 * {@link io.polytable.redis.command.server.InfoCommand}, {@code ReplicationCommands}, SLOWLOG and LATENCY.
 * {@code ServerReport} (the process) and {@code ActivityReport} (its activity) write INFO's sections from the
 * {@link io.polytable.redis.command.node.Node}.
 */
@NullMarked
package io.polytable.redis.command.server;

import org.jspecify.annotations.NullMarked;
