package io.polytable.redis.command.scripting;

/** A script that runs outside the event loops. Other threads may end it. */
public final class RunningScript {
    private final long startNanos = System.nanoTime();
    private boolean wrote;
    private volatile boolean killed;

    boolean isLongerThan(long millis) {
        return (System.nanoTime() - startNanos) / 1_000_000 >= millis;
    }

    public synchronized void wrote() {
        wrote = true;
    }

    /** False when it has written. */
    synchronized boolean kill() {
        if (wrote) {
            return false;
        }
        killed = true;
        return true;
    }

    void stop() {
        killed = true;
    }

    public boolean isKilled() {
        return killed;
    }
}
