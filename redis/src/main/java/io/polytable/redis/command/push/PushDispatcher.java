package io.polytable.redis.command.push;

import io.polytable.redis.command.PushQueue;
import io.polytable.redis.command.PushQueue.PushMessage;
import java.util.List;

/**
 * Dispatches push messages. One lock around the dispatch gives all of them one order: two subscribers on different loops see the messages of
 * several publishers in the same sequence, as they do in a server with one thread. Under the lock there is only a queue's
 * append for each loop.
 */
public final class PushDispatcher {
    public synchronized void post(PushMessage push) {
        List<PushQueue> queues = push.recipients().queues();
        for (int i = 0; i < queues.size(); i++) {
            queues.get(i).post(push);
        }
    }

    /** All of them with nothing in between. */
    public synchronized void post(List<PushMessage> pushes) {
        for (PushMessage push : pushes) {
            post(push);
        }
    }
}
