package io.polytable.redis.wire;

import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Waiter;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The timer and the queue entry of a blocked request (BZPOPMIN and its like). Retries keep both. */
final class BlockedRequest {
    private final Turn turn;
    private final Session session;
    private boolean waits;
    private @Nullable ScheduledFuture<?> timer;

    BlockedRequest(Turn turn, Session session) {
        this.turn = turn;
        this.session = session;
    }

    boolean waits() {
        return waits;
    }

    /** Starts the timer at the first try. Retries keep the original deadline. */
    void begin(Waiter waiter, Runnable whenOver) {
        if (waits) {
            return;
        }
        waits = true;
        if (waiter.timeoutMillis() > 0) {
            timer = turn.loop().schedule(whenOver, waiter.timeoutMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** What was decided about it instead of another try. */
    @Nullable
    Reply verdict() {
        return turn.node().waiting().verdict(session);
    }

    /** It is answered, or its client is gone. */
    void end() {
        waits = false;
        ScheduledFuture<?> running = timer;
        if (running != null) {
            running.cancel(false);
            timer = null;
        }
        turn.node().waiting().leave(session);
    }
}
