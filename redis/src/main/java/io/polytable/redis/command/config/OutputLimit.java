package io.polytable.redis.command.config;

/** The limit on a client's output buffer: hard at once, soft after some seconds. */
public record OutputLimit(long hardBytes, long softBytes, long softSeconds) {
    /** Whether the bytes exceed the hard limit. */
    public boolean isBeyondHard(long bytes) {
        return hardBytes > 0 && bytes > hardBytes;
    }

    String text() {
        return hardBytes + " " + softBytes + " " + softSeconds;
    }
}
