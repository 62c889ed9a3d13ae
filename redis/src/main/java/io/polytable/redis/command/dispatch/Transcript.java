package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Session.Replies;
import io.polytable.redis.model.RedisError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The replies of one EXEC. As in Redis, each is sent as the session wants it at that moment: after HELLO in the other
 * protocol, after CLIENT REPLY OFF not at all, also when the array has begun already.
 */
// A shared error is safe: it has no trace.
@SuppressWarnings("StaticAssignmentOfThrowable")
final class Transcript {
    /** Of the heap: all replies of a transaction are there before the first is sent. */
    private static final long BYTES_MAX = Runtime.getRuntime().maxMemory() / 8;

    private static final RedisError TOO_LARGE =
            new RedisError(RedisError.Code.OOM, "the replies of the transaction are larger than an eighth of the heap");

    private final Session session;
    private final int protocol;
    private final boolean begins;
    private final List<Reply> replies = new ArrayList<>();
    private long bytes;
    private boolean varies;
    private boolean later;

    Transcript(Session session) {
        this.session = session;
        this.protocol = session.protocol();
        this.begins = isHeard();
    }

    private boolean isHeard() {
        return session.replies() == Replies.ON || session.replies() == Replies.SKIP_NEXT;
    }

    /**
     * The next reply.
     *
     * @throws RedisError when all together are more than there is memory for; the transaction must not be committed then
     */
    void add(Reply reply) {
        bytes += ReplySize.of(reply);
        if (bytes > BYTES_MAX) {
            throw TOO_LARGE;
        }
        later |= reply instanceof Reply.Later;
        if (!isHeard()) {
            replies.add(new Reply.Silence());
        } else if (session.protocol() != protocol && !(reply instanceof Reply.Later)) {
            replies.add(new Reply.Spoken(session.protocol(), reply));
        } else {
            replies.add(reply);
        }
        varies |= isHeard() != begins || session.replies() == Replies.SKIP_NEXT || session.protocol() != protocol;
    }

    Reply reply() {
        return later ? whenComplete() : whole(replies);
    }

    private Reply whole(List<Reply> items) {
        return varies ? new Reply.Transcript(begins, protocol, items) : Reply.many(items);
    }

    /** Some command answers later; so does EXEC. */
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
