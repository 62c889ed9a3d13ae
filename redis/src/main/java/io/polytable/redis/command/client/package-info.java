/**
 * Commands about connections: {@link io.polytable.redis.command.client.ConnectionCommands} (HELLO, AUTH, SELECT, PING,
 * RESET), {@link io.polytable.redis.command.client.ClientCommands} (CLIENT and its subcommands) and
 * {@link io.polytable.redis.command.client.AclCommands}. They change the {@link io.polytable.redis.command.Session},
 * and reach other connections through {@code Clients} and their {@code Peer}s.
 */
@NullMarked
package io.polytable.redis.command.client;

import org.jspecify.annotations.NullMarked;
