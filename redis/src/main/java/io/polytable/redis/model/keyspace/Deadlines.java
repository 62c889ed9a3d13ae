package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.util.Optional;

/** Sets and clears the deadlines of keys. */
public final class Deadlines {
    /**
     * The condition under which a new deadline is set. A key without a deadline counts as living forever, so no
     * deadline is later.
     *
     * @param onlyWithout the key must have no deadline
     * @param onlyWith the key must have one
     * @param onlyLater the new one must be later
     * @param onlyEarlier the new one must be earlier
     */
    public record Condition(boolean onlyWithout, boolean onlyWith, boolean onlyLater, boolean onlyEarlier) {
        public static final Condition NONE = new Condition(false, false, false, false);

        boolean admits(Header header, long deadlineMillis) {
            boolean expires = header.hasDeadline();
            return !(onlyWithout && expires)
                    && !(onlyWith && !expires)
                    && !(onlyLater && (!expires || deadlineMillis <= header.expireAt()))
                    && !(onlyEarlier && expires && deadlineMillis >= header.expireAt());
        }
    }

    /** Returns whether the deadline was set; one that is not in the future removes the key at once. */
    public boolean set(Space space, Bytes key, long deadlineMillis, Condition condition) {
        Optional<Header> header = space.header(key);
        if (header.isEmpty() || !condition.admits(header.get(), deadlineMillis)) {
            return false;
        }
        if (space.isPast(deadlineMillis)) {
            space.remove(key);
            return true;
        }
        if (deadlineMillis != header.get().expireAt()) {
            space.put(key, header.get().withExpireAt(deadlineMillis));
        }
        space.changed(key, KeyEvent.EXPIRE);
        return true;
    }

    /** Removes the deadline; returns whether there was one. */
    public boolean clear(Space space, Bytes key) {
        Optional<Header> header = space.header(key);
        if (header.isEmpty() || !header.get().hasDeadline()) {
            return false;
        }
        space.put(key, header.get().withExpireAt(Header.NEVER));
        space.changed(key, KeyEvent.PERSIST);
        return true;
    }
}
