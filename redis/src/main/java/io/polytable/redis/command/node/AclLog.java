package io.polytable.redis.command.node;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.table.Bytes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * ACL LOG: the latest failed authentications. The only user may run everything, so nothing else is ever denied. Written
 * rarely, so one lock is enough.
 */
public final class AclLog {
    /** As in Redis, equal denials within this time share an entry. */
    private static final long GROUPED_MILLIS_MAX = 60_000;

    private static final int USER_BYTES_MAX = 1024;

    private final RedisConfig settings;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long nextId;

    /** Equal denials; the client is that of the last one. */
    public record Entry(
            long id,
            long count,
            String context,
            Bytes object,
            Bytes user,
            String client,
            long createdMillis,
            long updatedMillis) {
        private boolean isLike(Entry other) {
            return context.equals(other.context)
                    && object.equals(other.object)
                    && user.equals(other.user)
                    && other.createdMillis - updatedMillis < GROUPED_MILLIS_MAX;
        }

        private Entry and(Entry other) {
            return new Entry(id, count + 1, context, object, user, other.client, createdMillis, other.updatedMillis);
        }
    }

    AclLog(RedisConfig settings) {
        this.settings = settings;
    }

    /** The call did not authenticate its client as this user. */
    public synchronized void denied(Call call, Bytes user, String client) {
        String context = call.session().transaction().isOpen() ? "multi" : "toplevel";
        long now = call.nowMillis();
        // Copies: the log must not keep whole network chunks alive.
        Bytes object = call.word(0).copy();
        Bytes name = user.slice(0, Math.min(user.length(), USER_BYTES_MAX)).copy();
        Entry entry = new Entry(nextId, 1, context, object, name, client, now, now);
        for (Iterator<Entry> earlier = entries.iterator(); earlier.hasNext(); ) {
            Entry each = earlier.next();
            if (each.isLike(entry)) {
                earlier.remove();
                entries.addFirst(each.and(entry));
                return;
            }
        }
        nextId++;
        entries.addFirst(entry);
        while (entries.size() > settings.aclLogLength()) {
            entries.removeLast();
        }
    }

    /** The newest first. */
    public synchronized List<Entry> newest(long count) {
        return entries.stream().limit(Math.max(0, count)).toList();
    }

    public synchronized void reset() {
        entries.clear();
    }
}
