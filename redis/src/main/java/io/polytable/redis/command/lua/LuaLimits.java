package io.polytable.redis.command.lua;

/**
 * What a state offers to scripts, and their bounds.
 *
 * @param memoryBytes what all values of a script may take together
 * @param instructions after how many instructions time and memory are checked
 * @param version the Redis version that scripts see
 * @param versionNumber the same as a number
 */
public record LuaLimits(long memoryBytes, int instructions, String version, int versionNumber) {
    /** A longer string cannot be built. */
    long stringBytes() {
        return memoryBytes / 2;
    }

    public LuaLimits withMemory(long bytes) {
        return new LuaLimits(bytes, instructions, version, versionNumber);
    }
}
