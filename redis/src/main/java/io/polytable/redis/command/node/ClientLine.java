package io.polytable.redis.command.node;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Peer;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Transaction;
import io.polytable.redis.command.Waiter;
import io.polytable.table.Bytes;
import java.util.Arrays;

/** Formats a client's line in CLIENT LIST and CLIENT INFO. */
public final class ClientLine {
    private ClientLine() {}

    public static String of(Session session, long nowMillis, Call caller) {
        Peer peer = session.peer();
        long output = peer.outputBytes();
        long query = peer.queryBytes();
        long words = wordBytes(session, caller);
        StringBuilder line = new StringBuilder(300);
        line.append("id=").append(session.id());
        line.append(" addr=").append(peer.address());
        line.append(" laddr=").append(peer.localAddress());
        line.append(" fd=-1");
        line.append(" name=").append(session.name());
        line.append(" age=").append(seconds(nowMillis - session.sinceMillis()));
        line.append(" idle=").append(seconds(nowMillis - session.lastMillis()));
        line.append(" flags=").append(flags(session));
        line.append(" db=").append(session.database());
        PushState pushState = session.pushState();
        Transaction transaction = session.transaction();
        line.append(" sub=").append(pushState.count(PushState.Kind.CHANNEL));
        line.append(" psub=").append(pushState.count(PushState.Kind.PATTERN));
        line.append(" ssub=").append(pushState.count(PushState.Kind.SHARD));
        line.append(" multi=").append(transaction.isOpen() ? transaction.size() : -1);
        line.append(" qbuf=").append(query).append(" qbuf-free=0 argv-mem=").append(words);
        line.append(" multi-mem=").append(transaction.heldBytes());
        line.append(" rbs=0 rbp=0 obl=0 oll=").append(output > 0 ? 1 : 0);
        line.append(" omem=").append(output);
        line.append(" tot-mem=").append(query + words + output + transaction.heldBytes());
        line.append(" events=r");
        line.append(" cmd=").append(session.lastCommand());
        line.append(" user=").append(session.user());
        PushState.Tracking tracking = pushState.tracking();
        line.append(" redir=").append(tracking == null ? -1 : tracking.redirect());
        line.append(" resp=").append(session.protocol());
        line.append(" lib-name=").append(session.libraryName());
        line.append(" lib-ver=").append(session.libraryVersion());
        return line.toString();
    }

    /** The words that a client's unanswered call holds: the caller's own, and those of a blocked call. */
    private static long wordBytes(Session session, Call caller) {
        Waiter waiter = session.waiter();
        if (session.id() == caller.session().id()) {
            return caller.wordsFrom(0).stream().mapToLong(Bytes::length).sum();
        }
        return waiter == null
                ? 0
                : Arrays.stream(waiter.words()).mapToLong(Bytes::length).sum();
    }

    private static long seconds(long millis) {
        return Math.max(0, millis) / 1000;
    }

    private static String flags(Session session) {
        PushState pushState = session.pushState();
        PushState.Tracking tracking = pushState.tracking();
        String flags = (session.isReplica() ? "S" : "")
                + (pushState.monitors() ? "O" : "")
                + (pushState.isSubscriber() ? "P" : "")
                + (session.transaction().isOpen() ? "x" : "")
                + (session.waiting() ? "b" : "")
                + (tracking != null ? "t" : "")
                + (pushState.redirectBroken() ? "R" : "")
                + (tracking != null && tracking.broadcast() ? "B" : "")
                + (session.transaction().isTouched() ? "d" : "")
                + (session.ending() ? "c" : "")
                + (session.noEvict() ? "e" : "")
                + (session.noTouch() ? "T" : "");
        return flags.isEmpty() ? "N" : flags;
    }
}
