package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.blocking.KeyList;
import io.polytable.redis.command.blocking.Waiting;
import io.polytable.redis.model.keyspace.KeyStripes;
import io.polytable.table.Bytes;
import io.polytable.table.Stripes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The stripes of one call or transaction, locked in ascending order to avoid deadlocks. A writer also needs the stripes
 * of the blocked calls that it may serve. Those are known for certain only while it holds its own stripes: it looks
 * then, and starts over with more stripes if necessary.
 */
final class KeyLocks {
    private static final int KEEP_MAX = 1024;

    /** Beyond this many key lists of blocked calls, locking all stripes is cheaper than finding the right ones. */
    private static final int KEY_LISTS_MAX = 64;

    /** The same for the keys in those lists: this many cover nearly half of all stripes. */
    private static final int LISTED_KEYS_MAX = 512;

    private static final int ROUNDS_MAX = 4;

    private static final Duration FOREVER = Duration.ofDays(1);

    private final Stripes stripes;
    private final KeyStripes keyStripes;
    private final Waiting waiting;
    private Bytes[] keys = new Bytes[16];
    private int[] held = new int[16];
    private int count;
    private int taken;
    private boolean wantsEverything;
    private boolean hasEverything;
    private @Nullable BooleanSupplier givingUp;

    KeyLocks(Stripes stripes, Waiting waiting) {
        this.stripes = stripes;
        this.keyStripes = new KeyStripes(stripes);
        this.waiting = waiting;
    }

    int stripeOf(Bytes key) {
        return keyStripes.of(key);
    }

    /** Adds the keys of the call, by its key specifications. */
    void add(Call call) {
        KeyPositions positions = call.keyPositions();
        for (int i = 0; i < positions.size(); i++) {
            add(call.word(positions.at(i)));
        }
    }

    void add(Bytes key) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
        }
        keys[count++] = key;
    }

    /** Whether the keys added so far are in different partitions. */
    boolean areAcross(ToIntFunction<Bytes> partition) {
        for (int i = 1; i < count; i++) {
            if (partition.applyAsInt(keys[i]) != partition.applyAsInt(keys[0])) {
                return true;
            }
        }
        return false;
    }

    void addEverything() {
        wantsEverything = true;
    }

    /** A script that may run for long holds a stripe; nothing is locked. */
    static final class HeldByScript extends RuntimeException {
        private static final long serialVersionUID = 1L;

        HeldByScript() {
            super("a script holds the keys", null, false, false);
        }
    }

    /** As {@link #lock(boolean)}, but gives up when another thread holds a stripe and the condition is true. */
    void lock(boolean forWriting, BooleanSupplier givesUp) {
        givingUp = givesUp;
        try {
            lock(forWriting);
        } catch (HeldByScript held) {
            release();
            throw held;
        } finally {
            givingUp = null;
        }
    }

    /** Locks a stripe, as {@link #lock(boolean, BooleanSupplier)}. */
    void lockOne(int stripe, BooleanSupplier givesUp) {
        if (!stripes.tryLock(stripe) && !stripes.tryLockAll(new int[] {stripe}, FOREVER, givesUp)) {
            throw new HeldByScript();
        }
    }

    /** Whether the key's stripe is locked. */
    boolean covers(Bytes key) {
        return hasEverything || Arrays.binarySearch(held, 0, taken, keyStripes.of(key)) >= 0;
    }

    /** Locks the stripes of what was added. {@link #unlock} must follow, even after a failure. */
    void lock(boolean forWriting) {
        if (!wantsEverything) {
            takeOwn();
            if (forWriting && waiting.keyCount() != 0) {
                widen();
            }
        }
        if (wantsEverything) {
            BooleanSupplier givesUp = givingUp;
            if (givesUp == null) {
                stripes.lockEverything();
            } else if (!stripes.tryLockEverything(FOREVER, givesUp)) {
                throw new HeldByScript();
            }
            hasEverything = true;
        }
    }

    private void takeOwn() {
        if (held.length < count) {
            held = new int[keys.length];
        }
        for (int i = 0; i < count; i++) {
            held[i] = keyStripes.of(keys[i]);
        }
        Arrays.sort(held, 0, count);
        take(count);
    }

    private void take(int size) {
        BooleanSupplier givesUp = givingUp;
        for (; taken < size; taken++) {
            if (givesUp == null) {
                stripes.lock(held[taken]);
            } else {
                lockOne(held[taken], givesUp);
            }
        }
    }

    /** Extends the locked stripes to all blocked calls that could be served, or unlocks all and asks for everything. */
    private void widen() {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            BitSet needed = new BitSet(stripes.count());
            boolean few = addNeeded(needed);
            if (few && isHeld(needed)) {
                return;
            }
            release();
            if (!few) {
                break;
            }
            held = needed.stream().toArray();
            take(held.length);
        }
        release();
        wantsEverything = true;
    }

    private boolean isHeld(BitSet needed) {
        return needed.stream().allMatch(stripe -> Arrays.binarySearch(held, 0, taken, stripe) >= 0);
    }

    /**
     * Collects the stripes of the keys, of calls blocked on them, of calls blocked on keys that those touch, and so on.
     * Returns false when there are too many.
     */
    private boolean addNeeded(BitSet needed) {
        Deque<Bytes> todo = new ArrayDeque<>(Arrays.asList(keys).subList(0, count));
        Set<Bytes> seen = new HashSet<>(todo);
        Set<KeyList> lists = new HashSet<>();
        int listed = 0;
        while (!todo.isEmpty()) {
            Bytes key = todo.remove();
            needed.set(keyStripes.of(key));
            for (KeyList list : waiting.keyLists(key)) {
                if (!lists.add(list)) {
                    continue;
                }
                listed += list.keys().size();
                if (lists.size() > KEY_LISTS_MAX || listed > LISTED_KEYS_MAX) {
                    return false;
                }
                list.keys().stream().filter(seen::add).forEach(todo::add);
            }
        }
        return true;
    }

    private void release() {
        while (taken > 0) {
            stripes.unlock(held[--taken]);
        }
    }

    void unlock() {
        if (hasEverything) {
            stripes.unlockEverything();
        }
        hasEverything = false;
        wantsEverything = false;
        release();
        forget();
    }

    private void forget() {
        if (keys.length > KEEP_MAX) {
            keys = new Bytes[16];
            held = new int[16];
        } else {
            // Words are slices of a network chunk, which they must not keep alive.
            Arrays.fill(keys, 0, count, Bytes.EMPTY);
        }
        count = 0;
    }
}
