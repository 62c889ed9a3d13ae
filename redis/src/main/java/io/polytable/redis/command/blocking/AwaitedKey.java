package io.polytable.redis.command.blocking;

import io.polytable.redis.command.Waiter;
import io.polytable.redis.model.keyspace.Keyspace;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The queues of blocked calls of one key, one per database, in the order of arrival. Changed under the lock of
 * {@link Waiting}, read without it: whoever holds the key's stripe knows that no call can arrive.
 */
final class AwaitedKey {
    private final AtomicReferenceArray<@Nullable Queue> queues = new AtomicReferenceArray<>(Keyspace.DATABASES);

    /** The distinct key lists of the calls, each with its number of calls. */
    private final Map<KeyList, Integer> keyLists = new ConcurrentHashMap<>();

    /** The blocked calls of one database. */
    static final class Queue {
        private final ConcurrentSkipListMap<Long, Waiter> waiters = new ConcurrentSkipListMap<>();
        private final AtomicInteger runningWhenGone = new AtomicInteger();

        @Nullable
        Waiter after(long arrival) {
            Map.Entry<Long, Waiter> next = waiters.higherEntry(arrival);
            return next == null ? null : next.getValue();
        }

        /** Whether one of them also runs when the key is gone. */
        boolean caresWhenGone() {
            return runningWhenGone.get() > 0;
        }
    }

    @Nullable
    Queue queue(int database) {
        return queues.get(database);
    }

    /** In how many databases one of its calls also runs when the key is gone. */
    int countCaringWhenGone() {
        int count = 0;
        for (int database = 0; database < queues.length(); database++) {
            Queue queue = queues.get(database);
            count += queue != null && queue.caresWhenGone() ? 1 : 0;
        }
        return count;
    }

    Set<KeyList> keyLists() {
        return keyLists.keySet();
    }

    /** Returns whether it is the first of its database. */
    boolean add(Waiter waiter, KeyList touched) {
        Queue queue = queues.get(waiter.database());
        boolean first = queue == null;
        if (queue == null) {
            queue = new Queue();
        }
        queue.waiters.put(waiter.arrival(), waiter);
        queue.runningWhenGone.addAndGet(waiter.runsWhenGone() ? 1 : 0);
        queues.set(waiter.database(), queue);
        keyLists.merge(touched, 1, Integer::sum);
        return first;
    }

    /** Returns whether it was the last of its database. */
    boolean remove(Waiter waiter, KeyList touched) {
        Queue queue = queues.get(waiter.database());
        if (queue == null || queue.waiters.remove(waiter.arrival()) == null) {
            return false;
        }
        queue.runningWhenGone.addAndGet(waiter.runsWhenGone() ? -1 : 0);
        keyLists.computeIfPresent(touched, (keys, count) -> count == 1 ? null : count - 1);
        boolean last = queue.waiters.isEmpty();
        if (last) {
            queues.set(waiter.database(), null);
        }
        return last;
    }

    boolean isEmpty() {
        return keyLists.isEmpty();
    }
}
