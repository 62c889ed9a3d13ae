package io.polytable.redis.command.push;

import io.polytable.redis.command.PushQueue;
import io.polytable.redis.command.PushQueue.PushMessage;
import java.util.List;

/**
 * Dispatches push messages to the queues of their event loops. A lock gives them one total order: two subscribers on
 * different loops see the messages of several publishers in the same sequence, as in a single-threaded server. Under
 * the lock it only appends to one queue per loop.
 */
public final class PushDispatcher {
    public synchronized void post(PushMessage push) {
        List<PushQueue> queues = push.recipients().queues();
        for (int i = 0; i < queues.size(); i++) {
            queues.get(i).post(push);
        }
    }

    /** Posts them contiguously. */
    public synchronized void post(List<PushMessage> pushes) {
        for (PushMessage push : pushes) {
            post(push);
        }
    }
}
