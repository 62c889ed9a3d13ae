package io.polytable.redis.command.node;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Denial;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.table.Bytes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** ACL LOG: the latest failed authentications and denied calls. Written rarely, so one lock is enough. */
public final class AclLog {
    /** As in Redis, equal denials within this time share an entry. */
    private static final long GROUPED_MILLIS_MAX = 60_000;

    /** How many entries are compared with a new one. */
    private static final int COMPARED_MAX = 10;

    private static final int TEXT_BYTES_MAX = 1024;

    private final RedisConfig settings;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final Map<Denial.Kind, LongAdder> denied = new EnumMap<>(Denial.Kind.class);
    private long nextId;

    /** Equal denials; the client is that of the last one. */
    public record Entry(
            long id,
            long count,
            Denial.Kind reason,
            Denial.Context context,
            Bytes object,
            Bytes user,
            String client,
            long createdMillis,
            long updatedMillis) {
        private boolean isLike(Entry other) {
            return reason == other.reason
                    && context == other.context
                    && object.equals(other.object)
                    && user.equals(other.user)
                    && other.createdMillis - updatedMillis <= GROUPED_MILLIS_MAX;
        }

        private Entry and(Entry other) {
            return new Entry(
                    id, count + 1, reason, context, object, user, other.client, createdMillis, other.updatedMillis);
        }
    }

    AclLog(RedisConfig settings) {
        this.settings = settings;
        for (Denial.Kind reason : Denial.Kind.values()) {
            denied.put(reason, new LongAdder());
        }
    }

    /**
     * Adds a denial.
     *
     * @param session of the client, which may have made the call through a script
     * @param user who was denied, or whose password was wrong
     * @param position the word of the key or channel
     */
    public void add(Session session, Denial.Kind reason, Denial.Context context, Bytes user, Call call, int position) {
        counter(reason).increment();
        Bytes object = reason == Denial.Kind.COMMAND ? Bytes.utf8(call.command().fullName()) : call.word(position);
        long now = call.nowMillis();
        add(new Entry(
                0,
                1,
                reason,
                context,
                shortened(object),
                shortened(user),
                ClientLine.of(session, now, call),
                now,
                now));
    }

    /** A copy: the log must not keep whole network chunks alive. */
    private static Bytes shortened(Bytes text) {
        return text.slice(0, Math.min(text.length(), TEXT_BYTES_MAX)).copy();
    }

    private synchronized void add(Entry entry) {
        int compared = 0;
        for (Iterator<Entry> earlier = entries.iterator(); earlier.hasNext() && compared < COMPARED_MAX; compared++) {
            Entry each = earlier.next();
            if (each.isLike(entry)) {
                earlier.remove();
                entries.addFirst(each.and(entry));
                return;
            }
        }
        entries.addFirst(numbered(entry));
        while (entries.size() > settings.aclLogLength()) {
            entries.removeLast();
        }
    }

    private Entry numbered(Entry entry) {
        return new Entry(
                nextId++,
                entry.count,
                entry.reason,
                entry.context,
                entry.object,
                entry.user,
                entry.client,
                entry.createdMillis,
                entry.updatedMillis);
    }

    /** The newest first. */
    public synchronized List<Entry> newest(long count) {
        return entries.stream().limit(Math.max(0, count)).toList();
    }

    /** The number of denials for the reason since the last reset of the statistics. */
    public long denied(Denial.Kind reason) {
        return counter(reason).sum();
    }

    private LongAdder counter(Denial.Kind reason) {
        return Objects.requireNonNull(denied.get(reason));
    }

    void resetCounts() {
        denied.values().forEach(LongAdder::reset);
    }

    public synchronized void reset() {
        entries.clear();
    }
}
