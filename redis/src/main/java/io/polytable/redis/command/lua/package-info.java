/**
 * The interpreter of scripts: {@link io.polytable.redis.command.lua.LuaState} is a sandboxed Lua 5.1. A raising call of
 * Lua's API outside a protected call ends the process, so the state uses raw operations only, and everything else runs
 * in Lua code inside one protected call. The sandbox and the libraries are Lua files among the resources.
 */
@NullMarked
package io.polytable.redis.command.lua;

import org.jspecify.annotations.NullMarked;
