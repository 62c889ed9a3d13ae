package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.UnitChanges;
import io.polytable.table.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of calls on push messages: restricts what subscribers and monitors may call, remembers reads of tracking
 * clients, and shows calls to MONITOR.
 */
final class Listeners {
    // Shared errors are safe: they have no stack trace.
    @SuppressWarnings("StaticAssignmentOfThrowable")
    private static final RedisError MONITORS = new RedisError("Replica can't interact with the keyspace");

    private final Node node;

    Listeners(Node node) {
        this.node = node;
    }

    /** The error if the session's mode does not allow the call, or null. */
    @Nullable
    RedisError refusal(Call call) {
        PushState pushState = call.session().pushState();
        return pushState.isRestricted() ? refusal(call, pushState) : null;
    }

    private static @Nullable RedisError refusal(Call call, PushState pushState) {
        Command command = call.command();
        if (pushState.monitors() && (command.writes() || command.has(Flag.READONLY))) {
            return MONITORS;
        }
        if (pushState.isSubscriber() && call.session().protocol() == 2 && !command.isForSubscribers()) {
            return new RedisError("Can't execute '" + command.fullName()
                    + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context");
        }
        return null;
    }

    /** Remembers the keys that a tracking client has read; their stripes are held. */
    void remember(Call call) {
        Session session = call.session();
        PushState.Tracking mode = session.pushState().tracking();
        if (mode != null) {
            node.tracking().remember(session, node.tracking().readKeys(call, mode));
        }
    }

    /**
     * As {@link #remember(Call)}, inside a unit of several commands, which publishes its changes at its end. The read
     * takes its place among the changes: an earlier write of the unit must not invalidate it, a later one must.
     */
    void remember(Call call, UnitChanges changes) {
        remember(call, call.session(), changes);
    }

    /** As {@link #remember(Call, UnitChanges)}, for a call that a script made for this session. */
    void remember(Call call, Session session, UnitChanges changes) {
        PushState.Tracking mode = session.pushState().tracking();
        if (mode != null) {
            List<Bytes> keys = node.tracking().readKeys(call, mode);
            if (!keys.isEmpty()) {
                changes.runInOrder(() -> node.tracking().remember(session, keys));
            }
        }
    }

    /** The reply of a served call, with the messages that follow it. */
    Reply served(Session session, Reply reply) {
        return node.tracking().withOwnInvalidations(session, reply);
    }

    /** The call has run, or has blocked for the first time. A blocked one still needs its CLIENT CACHING. */
    void ran(Call call, Reply reply) {
        node.monitors().show(call);
        PushState pushState = call.session().pushState();
        if (pushState.caching()
                && !(reply instanceof Reply.Blocked)
                && !call.session().transaction().isOpen()
                && !call.command().fullName().startsWith("client|")) {
            pushState.caching(false);
        }
    }
}
