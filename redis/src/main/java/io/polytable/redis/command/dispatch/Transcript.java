package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Session.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The replies of one EXEC. As in Redis, each is sent in the session's mode at that moment: in the other protocol after
 * HELLO, not at all after CLIENT REPLY OFF, even if the array header was already sent.
 */
final class Transcript {
    private final Session session;
    private final int protocol;
    private final boolean begins;
    private final List<Reply> replies = new ArrayList<>();
    private boolean varies;
    private boolean later;

    Transcript(Session session) {
        this.session = session;
        this.protocol = session.protocol();
        this.begins = repliesAreOn();
    }

    private boolean repliesAreOn() {
        return session.replies() == Replies.ON || session.replies() == Replies.SKIP_NEXT;
    }

    void add(Reply reply) {
        later |= reply instanceof Reply.Later;
        if (!repliesAreOn()) {
            replies.add(new Reply.NoReply());
        } else if (session.protocol() != protocol && !(reply instanceof Reply.Later)) {
            replies.add(new Reply.Spoken(session.protocol(), reply));
        } else {
            replies.add(reply);
        }
        varies |= repliesAreOn() != begins || session.replies() == Replies.SKIP_NEXT || session.protocol() != protocol;
    }

    Reply reply() {
        return later ? whenComplete() : whole(replies);
    }

    private Reply whole(List<Reply> items) {
        return varies ? new Reply.Transcript(begins, protocol, items) : Reply.many(items);
    }

    /** Waits for the replies that are computed asynchronously. */
    private Reply whenComplete() {
        CompletableFuture<List<Reply>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (Reply each : replies) {
            CompletableFuture<Reply> one = each instanceof Reply.Later waits
                    ? waits.answer().toCompletableFuture()
                    : CompletableFuture.completedFuture(each);
            all = all.thenCombine(one, (list, reply) -> {
                list.add(reply);
                return list;
            });
        }
        return new Reply.Later(all.thenApply(this::whole));
    }
}
