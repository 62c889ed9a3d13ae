/**
 * SCRIPT and FUNCTION as far as they work without an interpreter
 * ({@link io.polytable.redis.command.scripting.ScriptCommands}): there is nothing to list, flush or kill.
 */
@NullMarked
package io.polytable.redis.command.scripting;

import org.jspecify.annotations.NullMarked;
