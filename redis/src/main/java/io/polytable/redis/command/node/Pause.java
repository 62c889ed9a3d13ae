package io.polytable.redis.command.node;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Session;
import java.util.ArrayList;
import java.util.List;

/** CLIENT PAUSE: holds all commands, or only writes, until a deadline. */
public final class Pause {
    private static final long NEVER = 0;

    private volatile long untilMillis = NEVER;
    private volatile boolean everything;
    private final List<Runnable> waiters = new ArrayList<>();

    public void start(long nowMillis, long endMillis, boolean all) {
        // Connections held by a pause that is over must not be held by the new one unless it applies to them.
        long unusedLeft = expire(nowMillis);
        synchronized (this) {
            // As in Redis, a second pause can only extend the first.
            everything = all || (isOn() && everything);
            untilMillis = Math.max(untilMillis, endMillis);
        }
    }

    public void stop() {
        List<Runnable> woken;
        synchronized (this) {
            woken = end();
        }
        woken.forEach(Runnable::run);
    }

    private List<Runnable> end() {
        untilMillis = NEVER;
        List<Runnable> woken = List.copyOf(waiters);
        waiters.clear();
        return woken;
    }

    /**
     * Ends the pause if its deadline has passed, and returns the time left otherwise. Called by the timers of held
     * connections; a pause may have been extended since a timer was set.
     */
    public long expire(long nowMillis) {
        List<Runnable> woken;
        synchronized (this) {
            if (!isOn() || nowMillis < untilMillis) {
                return isOn() ? untilMillis - nowMillis : 0;
            }
            woken = end();
        }
        woken.forEach(Runnable::run);
        return 0;
    }

    /** Long past while nothing is paused. */
    public long untilMillis() {
        return untilMillis;
    }

    private boolean isOn() {
        return untilMillis != NEVER;
    }

    /** How much longer the command is held; zero for not at all. */
    public long holdsMillis(Command command, Session session, long nowMillis) {
        if (!isOn() || !(everything || writes(command, session))) {
            return 0;
        }
        return Math.max(0, untilMillis - nowMillis);
    }

    private static boolean writes(Command command, Session session) {
        return command.writes()
                || command.has(Flag.MAY_REPLICATE)
                || (command.runsQueue() && session.transaction().isPausedWithWrites());
    }

    /** Runs the action when the pause ends, immediately if there is none. Each connection registers at most once. */
    public void whenOver(Runnable action) {
        synchronized (this) {
            if (isOn()) {
                waiters.add(action);
                return;
            }
        }
        action.run();
    }
}
