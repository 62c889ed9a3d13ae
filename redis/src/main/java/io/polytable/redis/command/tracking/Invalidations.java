package io.polytable.redis.command.tracking;

import io.polytable.redis.command.PushQueue.PushMessage;
import io.polytable.redis.command.PushQueue.Recipients;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.push.PushDispatcher;
import io.polytable.table.Bytes;
import java.util.Collection;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Builds and addresses invalidation messages: to the client itself, or to the one it redirects them to. */
final class Invalidations {
    private static final Reply INVALIDATE = Reply.of("invalidate");
    private static final Reply MESSAGE = Reply.of("message");
    private static final Reply CHANNEL = Reply.of("__redis__:invalidate");
    private static final Reply REDIRECT_BROKEN = Reply.of("tracking-redir-broken");

    private final PushDispatcher post;
    private final LongFunction<@Nullable Session> clients;

    Invalidations(PushDispatcher post, LongFunction<@Nullable Session> clients) {
        this.post = post;
        this.clients = clients;
    }

    @Nullable
    Session client(long id) {
        return clients.apply(id);
    }

    void send(Session target, Bytes key) {
        send(target, Reply.many(Reply.of(key)), key.length());
    }

    void send(Session target, Collection<Bytes> keys) {
        int bytes = keys.stream().mapToInt(Bytes::length).sum();
        send(target, Reply.bulks(List.copyOf(keys)), bytes);
    }

    /** Invalidates all keys. As in Redis, the null is encoded in the tracking client's protocol, not the receiver's. */
    void sendFlush(Session target) {
        send(target, new Reply.Spoken(target.protocol(), Reply.ABSENT), 0);
    }

    private void send(Session target, Reply keys, int bytes) {
        PushState.Tracking mode = target.pushState().tracking();
        if (mode == null) {
            return;
        }
        Session receiver = target;
        if (mode.redirect() != 0) {
            Session redirect = clients.apply(mode.redirect());
            if (redirect == null) {
                breakRedirect(target, mode.redirect());
                return;
            }
            receiver = redirect;
        }
        if (receiver.protocol() >= 3) {
            deliver(receiver, new Reply.Push(List.of(INVALIDATE, keys)), bytes);
        } else if (mode.redirect() != 0 && receiver.pushState().isSubscriber()) {
            deliver(receiver, new Reply.Push(List.of(MESSAGE, CHANNEL, keys)), bytes);
        }
    }

    private void breakRedirect(Session target, long gone) {
        target.pushState().breakRedirect();
        if (target.protocol() >= 3) {
            deliver(target, new Reply.Push(List.of(REDIRECT_BROKEN, Reply.of(gone))), 0);
        }
    }

    private void deliver(Session receiver, Reply reply, int bytes) {
        post.post(new PushMessage(reply, Recipients.of(receiver), bytes, session -> true));
    }
}
