package io.polytable.redis.wire;

import io.polytable.redis.command.Waiter;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The blocked request of a connection (BZPOPMIN and the like), and its timer. */
final class BlockedRequest {
    private final Turn turn;
    private @Nullable Waiter waiter;
    private @Nullable ScheduledFuture<?> timer;

    BlockedRequest(Turn turn) {
        this.turn = turn;
    }

    boolean is(Waiter asked) {
        return waiter == asked;
    }

    void begin(Waiter blocked, Runnable whenOver) {
        waiter = blocked;
        if (blocked.timeoutMillis() > 0) {
            timer = turn.loop().schedule(whenOver, blocked.timeoutMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Ends the wait on timeout; false when a writer was first, whose reply is on its way. */
    boolean expires() {
        Waiter blocked = waiter;
        return blocked != null && turn.node().waiting().end(blocked);
    }

    /** Ends it: the reply has arrived. */
    void end() {
        waiter = null;
        ScheduledFuture<?> running = timer;
        if (running != null) {
            running.cancel(false);
            timer = null;
        }
    }
}
