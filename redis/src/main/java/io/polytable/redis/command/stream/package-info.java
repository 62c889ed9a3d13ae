/**
 * The stream families: {@link io.polytable.redis.command.stream.StreamCommands} by entry,
 * {@link io.polytable.redis.command.stream.StreamReadCommands} for XREAD and XREADGROUP, which can block,
 * {@link io.polytable.redis.command.stream.GroupCommands} and {@link io.polytable.redis.command.stream.PendingCommands}
 * for consumer groups, {@code StreamInfoCommands}. The classes ending in {@code Options} parse what follows the key.
 */
@NullMarked
package io.polytable.redis.command.stream;

import org.jspecify.annotations.NullMarked;
