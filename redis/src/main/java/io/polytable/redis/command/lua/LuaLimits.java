package io.polytable.redis.command.lua;

/**
 * The bounds of a script.
 *
 * @param memoryBytes what all its values may take together
 * @param instructions after how many instructions time and memory are checked
 */
public record LuaLimits(long memoryBytes, int instructions) {
    /** A longer string cannot be built. */
    long stringBytes() {
        return memoryBytes / 2;
    }
}
