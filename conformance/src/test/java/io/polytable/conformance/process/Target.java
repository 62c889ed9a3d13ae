package io.polytable.conformance.process;

import java.nio.file.Path;

/** The server under test: ours, or the reference, which proves that the suite itself is right. */
public enum Target {
    REFERENCE,
    POLYTABLE,
    POLYTABLE_SHARDED;

    public RespServer start(Path directory) {
        return switch (this) {
            case REFERENCE -> RedisServerProcess.start(directory);
            case POLYTABLE -> PolytableProcess.start(directory);
            case POLYTABLE_SHARDED -> PolytableProcess.start(directory, "--redis.sharding.enabled=true");
        };
    }

    /** A server with a password. */
    public RespServer startWithPassword(Path directory, String password) {
        return switch (this) {
            case REFERENCE -> RedisServerProcess.start(directory, "--requirepass", password);
            case POLYTABLE -> PolytableProcess.start(directory, "--redis.requirepass=" + password);
            case POLYTABLE_SHARDED ->
                PolytableProcess.start(directory, "--redis.sharding.enabled=true", "--redis.requirepass=" + password);
        };
    }

    /** The version it must claim to be. */
    public String version() {
        return this == REFERENCE ? "7.0" : "7.2";
    }

    public boolean isOurs() {
        return this != REFERENCE;
    }
}
