/**
 * Introspection of commands and values: {@link io.polytable.redis.command.introspection.CommandCommands} (COMMAND and
 * its subcommands, from the declarations), {@link io.polytable.redis.command.introspection.ObjectCommands} and
 * {@link io.polytable.redis.command.introspection.MemoryCommands}.
 */
@NullMarked
package io.polytable.redis.command.introspection;

import org.jspecify.annotations.NullMarked;
