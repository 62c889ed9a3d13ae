/**
 * Texts about commands, kept in resources: {@link io.polytable.redis.command.help.HelpText} answers a container's HELP,
 * {@link io.polytable.redis.command.help.CommandDocs} COMMAND DOCS. The files {@code help.txt},
 * {@code command-docs.txt} and {@code command-arguments.txt} in this package explain their format in their first lines.
 */
@NullMarked
package io.polytable.redis.command.help;

import org.jspecify.annotations.NullMarked;
