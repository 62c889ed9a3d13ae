/**
 * EVAL, SCRIPT and the cached scripts ({@link io.polytable.redis.command.scripting.Scripts}); FUNCTION without functions
 * ({@link io.polytable.redis.command.scripting.ScriptCommands}). The dispatcher runs scripts.
 */
@NullMarked
package io.polytable.redis.command.scripting;

import org.jspecify.annotations.NullMarked;
