package io.polytable.redis.wire;

import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Waiter;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether a connection's request was run in vain and waits for keys, and until when. */
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

    /** Its first try was in vain; the later ones change nothing, its time least of all. */
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
