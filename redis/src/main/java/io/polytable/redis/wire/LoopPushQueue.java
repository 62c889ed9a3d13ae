package io.polytable.redis.wire;

import io.netty.util.internal.PlatformDependent;
import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.PushQueue;
import io.polytable.redis.command.Session;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The push messages of an event loop. Other threads only append to a queue, and wake the loop once for all queued
 * messages. The loop delivers before it runs requests, after each reply, and at the end of its turn. So a message
 * published before a client's request arrives before its reply, and a command's reply before the messages that the
 * command causes.
 */
final class LoopPushQueue implements PushQueue {
    /** The overhead of a push message. */
    private static final int PUSH_BYTES = 100;

    private final Turn turn;
    private final Budget budget;
    private final Queue<PushMessage> queue = PlatformDependent.newMpscQueue();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final PushEncoder encoder = new PushEncoder();

    LoopPushQueue(Turn turn, Budget budget) {
        this.turn = turn;
        this.budget = budget;
    }

    Budget budget() {
        return budget;
    }

    @Override
    public void post(PushMessage push) {
        budget.take(PUSH_BYTES + push.size());
        queue.add(push);
        // The loop itself delivers before its turn ends.
        if (!turn.loop().inEventLoop() && woken.compareAndSet(false, true)) {
            turn.loop().execute(this::wake);
        }
    }

    private void wake() {
        woken.set(false);
        deliver();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Called on the loop, while no connection's reply is being written. */
    void deliver() {
        PushMessage push = queue.poll();
        while (push != null) {
            deliver(push);
            budget.release(PUSH_BYTES + push.size());
            push = queue.poll();
        }
    }

    private void deliver(PushMessage push) {
        Recipients recipients = push.recipients();
        try (SharedPush copies = new SharedPush(push, encoder)) {
            for (int i = 0; i < recipients.size(); i++) {
                Session session = recipients.get(i);
                if (session.peer().queue() == this && push.isWantedBy(session)) {
                    deliver(session, copies);
                }
            }
        }
    }

    private void deliver(Session session, SharedPush copies) {
        Connection connection = turn.connection(session);
        if (connection != null) {
            connection.tell(copies);
        }
    }
}
