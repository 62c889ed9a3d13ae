package io.polytable.redis.model.keyspace;

/**
 * Whether keys may go without a command that removes them. CLIENT PAUSE holds expiry and eviction; DEBUG
 * SET-ACTIVE-EXPIRE leaves expired keys to the commands that meet them. On a replica the primary removes keys.
 */
public final class BackgroundRemoval {
    private volatile boolean expires = true;
    private volatile long pausedUntilMillis;
    private volatile boolean follows;

    public void expires(boolean allowed) {
        expires = allowed;
    }

    /** Holds everything until then; zero ends a pause. */
    public void pauseUntil(long millis) {
        pausedUntilMillis = millis;
    }

    public boolean isPaused(long nowMillis) {
        return follows || nowMillis < pausedUntilMillis;
    }

    /** Whether keys go only when a primary says so. */
    public boolean follows() {
        return follows;
    }

    public void follows(boolean primary) {
        follows = primary;
    }

    /** Whether the background removes expired keys. */
    public boolean expiresAt(long nowMillis) {
        return expires && !isPaused(nowMillis);
    }
}
