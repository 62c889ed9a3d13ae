package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.UnitChanges;
import io.polytable.table.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What running a call means for clients that are told things unasked: subscribers and monitors may not call everything,
 * trackers' reads are remembered, monitors see the call.
 */
final class Listeners {
    // Shared errors are safe: they have no trace.
    @SuppressWarnings("StaticAssignmentOfThrowable")
    private static final RedisError MONITORS = new RedisError("Replica can't interact with the keyspace");

    private final Node node;

    Listeners(Node node) {
        this.node = node;
    }

    /** Why this client may not call this now. */
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

    /** Remembers what a tracking client has read; the stripes of the keys are held. */
    void remember(Call call) {
        Session session = call.session();
        PushState.Tracking mode = session.pushState().tracking();
        if (mode != null) {
            node.tracking().remember(session, node.tracking().readKeys(call, mode));
        }
    }

    /**
     * As {@link #remember(Call)} for a call inside a transaction, whose changes are told after all of it has run. A read
     * takes its place among them: a write before it must not make the client forget what it read, one behind it must.
     */
    void remember(Call call, UnitChanges changes) {
        Session session = call.session();
        PushState.Tracking mode = session.pushState().tracking();
        if (mode != null) {
            List<Bytes> keys = node.tracking().readKeys(call, mode);
            if (!keys.isEmpty()) {
                changes.runInOrder(() -> node.tracking().remember(session, keys));
            }
        }
    }

    /** The call has run, or a blocked one was tried for the first time. */
    void ran(Call call) {
        node.monitors().show(call);
        PushState pushState = call.session().pushState();
        if (pushState.caching()
                && !call.session().transaction().isOpen()
                && !call.command().fullName().startsWith("client|")) {
            pushState.caching(false);
        }
    }
}
