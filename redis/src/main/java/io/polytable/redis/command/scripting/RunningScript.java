package io.polytable.redis.command.scripting;

import io.polytable.table.Bytes;
import java.util.List;

/** A script or function that runs outside the event loops. Other threads may end it. */
public final class RunningScript {
    private final Routine routine;
    private final List<Bytes> words;
    private final long startNanos = System.nanoTime();
    private boolean wrote;
    private volatile boolean killed;

    /** @param words the call that runs it */
    public RunningScript(Routine routine, List<Bytes> words) {
        this.routine = routine;
        this.words = words;
    }

    Routine routine() {
        return routine;
    }

    List<Bytes> words() {
        return words;
    }

    long millis() {
        return (System.nanoTime() - startNanos) / 1_000_000;
    }

    boolean isLongerThan(long millis) {
        return millis() >= millis;
    }

    public synchronized void wrote() {
        wrote = true;
    }

    /** Whether it has written. */
    public synchronized boolean hasWritten() {
        return wrote;
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
