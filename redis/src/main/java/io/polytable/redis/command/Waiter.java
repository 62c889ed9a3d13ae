package io.polytable.redis.command;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A blocked call. It waits until one of its keys holds a collection of its type, or for its timeout; without keys, for
 * the timeout alone. It has its own copy of the words, which the writer of a key runs again.
 *
 * <p>Its lock resolves the race between the writer that serves it, the timeout, CLIENT UNBLOCK and a disconnect. The
 * writer holds it from its attempt until its commit, so the others find the call either blocked or answered.
 */
public final class Waiter {
    /** The overhead of an awaited key: its queue in {@code Waiting}, if this is the first call. */
    private static final int AWAITED_KEY_BYTES = 600;

    private final Session session;
    private final Command command;
    private final int database;
    private final List<Bytes> keys;
    private final List<Bytes> touched;
    private final Type type;
    private final long timeoutMillis;
    private final Reply otherwise;
    private Reply inTransaction;
    private Bytes[] words;
    private boolean orGone;
    private long arrival;

    private final ReentrantLock lock = new ReentrantLock();
    private boolean over;
    private boolean unserved;

    private Waiter(Call call, List<Bytes> keys, Type type, long timeoutMillis, Reply otherwise) {
        this.session = call.session();
        this.command = call.command();
        this.database = session.database();
        // Copies: a blocked call must not keep whole network chunks alive. Keys share the copies of the words, because
        // a call may have many keys.
        this.words = call.wordsFrom(0).stream().map(Bytes::copy).toArray(Bytes[]::new);
        Map<Bytes, Bytes> own = keysOf(call, words);
        List<Bytes> awaited = keys.stream()
                .distinct()
                .map(key -> own.computeIfAbsent(key, Bytes::copy))
                .toList();
        this.touched = List.copyOf(own.values());
        this.keys = awaited.equals(touched) ? touched : awaited;
        this.type = type;
        this.timeoutMillis = timeoutMillis;
        this.otherwise = otherwise;
        this.inTransaction = otherwise;
    }

    /**
     * Waits until one of the keys holds a collection of the type.
     *
     * @param timeoutMillis zero for no timeout
     * @param otherwise the reply on timeout, and by default also inside MULTI, where nothing blocks
     */
    public static Waiter of(Call call, List<Bytes> keys, Type type, long timeoutMillis, Reply otherwise) {
        return new Waiter(call, keys, type, timeoutMillis, otherwise);
    }

    /** As {@link #of}, as a reply. */
    public static Reply forKeys(Call call, List<Bytes> keys, Type type, long timeoutMillis, Reply otherwise) {
        return of(call, keys, type, timeoutMillis, otherwise).reply();
    }

    /** Waits for the timeout alone. */
    public static Reply forTime(Call call, long timeoutMillis, Reply otherwise) {
        // Without keys the type is never compared.
        return forKeys(call, List.of(), Type.STRING, timeoutMillis, otherwise);
    }

    /**
     * Runs again with these words instead of its own: XREAD replaces {@code $} by the last id at the time of the call.
     */
    public Waiter runAs(List<Bytes> other) {
        Bytes[] own = words;
        words = new Bytes[other.size()];
        for (int i = 0; i < words.length; i++) {
            Bytes word = other.get(i);
            words[i] = i < own.length && own[i].equals(word) ? own[i] : word.copy();
        }
        return this;
    }

    /** Also runs again when a key is removed or changes its type: XREADGROUP then returns an error. */
    public Waiter orGone() {
        orGone = true;
        return this;
    }

    /** Sets another reply for MULTI, where nothing blocks: BLMOVE then returns a null element, not a null array. */
    public Waiter inTransaction(Reply answer) {
        inTransaction = answer;
        return this;
    }

    /** The reply inside MULTI. */
    public Reply inTransaction() {
        return inTransaction;
    }

    public Reply reply() {
        return new Reply.Blocked(this);
    }

    /** The keys among the words, deduplicated, in order. */
    private static Map<Bytes, Bytes> keysOf(Call call, Bytes[] words) {
        KeyPositions positions = call.keyPositions();
        Map<Bytes, Bytes> all = new LinkedHashMap<>();
        for (int i = 0; i < positions.size(); i++) {
            Bytes key = words[positions.at(i)];
            all.putIfAbsent(key, key);
        }
        return all;
    }

    public Session session() {
        return session;
    }

    public Command command() {
        return command;
    }

    /** The words to run. Must not be changed. */
    public Bytes[] words() {
        return words;
    }

    public int database() {
        return database;
    }

    /** The awaited keys. */
    public List<Bytes> keys() {
        return keys;
    }

    /** The memory of its waiting, estimated. The words are not included: they count as the client's input. */
    public long heldBytes() {
        return (long) AWAITED_KEY_BYTES * keys.size();
    }

    /**
     * All keys that the call may read or write, including the destination of BLMOVE: their stripes are held while it
     * runs.
     */
    public List<Bytes> touched() {
        return touched;
    }

    public Type type() {
        return type;
    }

    public boolean runsWhenGone() {
        return orGone;
    }

    /** Zero for no timeout. */
    public long timeoutMillis() {
        return timeoutMillis;
    }

    /** The reply on timeout. */
    public Reply otherwise() {
        return otherwise;
    }

    /** A sequence number: an earlier call has a smaller one. */
    public long arrival() {
        return arrival;
    }

    public void arrival(long number) {
        arrival = number;
    }

    /** Takes its lock; false, without the lock, when the call was answered or its client is gone. */
    public boolean claim() {
        lock.lock();
        if (over) {
            lock.unlock();
            return false;
        }
        return true;
    }

    /** Whether the current thread holds its lock: then the present unit of work has already served it. */
    public boolean isClaimed() {
        return lock.isHeldByCurrentThread();
    }

    /** Ends it: it will not run again. The caller holds its lock. */
    public void end() {
        over = true;
    }

    /** As {@link #end}, without having run again: on its timeout, by CLIENT UNBLOCK, or because its client is gone. */
    public void endUnserved() {
        unserved = true;
        end();
    }

    /** Whether it ended without having run again. Only asked after its end. */
    public boolean isUnserved() {
        return unserved;
    }

    /** Releases its lock. */
    public void release() {
        lock.unlock();
    }

    @Override
    public String toString() {
        return command + " " + Arrays.toString(words);
    }
}
