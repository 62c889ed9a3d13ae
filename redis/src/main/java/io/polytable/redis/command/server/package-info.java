/**
 * The server as a whole: {@link io.polytable.redis.command.server.ServerCommands} (TIME, ROLE, SAVE, SHUTDOWN ...),
 * {@link io.polytable.redis.command.server.InfoCommand}, SLOWLOG and LATENCY. INFO's sections are written by {@code ServerReport} (the
 * process) and {@code ActivityReport} (what was done) from the {@link io.polytable.redis.command.node.Node}.
 */
@NullMarked
package io.polytable.redis.command.server;

import org.jspecify.annotations.NullMarked;
