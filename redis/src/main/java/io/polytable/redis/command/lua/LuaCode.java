package io.polytable.redis.command.lua;

import io.polytable.table.Bytes;

/**
 * Code that a state loads once: a script, or a library of functions.
 *
 * @param id a script's number; a library's functions have the numbers that follow, in the order of their registration
 */
public record LuaCode(long id, Bytes text, boolean isLibrary) {
    /** The numbers between two codes: a library has fewer functions. */
    public static final int NUMBERS = 1 << 12;
}
