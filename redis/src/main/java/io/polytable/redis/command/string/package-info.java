/**
 * The string family: {@link io.polytable.redis.command.string.StringCommands}. {@code SetOptions} parses the options of
 * SET and GETEX.
 */
@NullMarked
package io.polytable.redis.command.string;

import org.jspecify.annotations.NullMarked;
