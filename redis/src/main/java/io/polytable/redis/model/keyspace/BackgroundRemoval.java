package io.polytable.redis.model.keyspace;

/**
 * Whether keys may go without a command that removes them. CLIENT PAUSE holds expiry and eviction; DEBUG
 * SET-ACTIVE-EXPIRE leaves expired keys to the commands that meet them.
 */
public final class BackgroundRemoval {
    private volatile boolean expires = true;
    private volatile long pausedUntilMillis;

    public void expires(boolean allowed) {
        expires = allowed;
    }

    /** Holds everything until then; zero ends a pause. */
    public void pauseUntil(long millis) {
        pausedUntilMillis = millis;
    }

    public boolean isPaused(long nowMillis) {
        return nowMillis < pausedUntilMillis;
    }

    /** Whether the background removes expired keys. */
    public boolean expiresAt(long nowMillis) {
        return expires && !isPaused(nowMillis);
    }
}
