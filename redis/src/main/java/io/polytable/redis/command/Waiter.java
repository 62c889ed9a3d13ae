package io.polytable.redis.command;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One blocked call: it waits until one of its keys holds a collection of its type, or for its timeout. Without keys it
 * waits for the timeout alone. It keeps its own copy of the words, to be run again by whoever writes one of the keys.
 *
 * <p>Its lock decides between those who would end it at the same time: a writer holds it from its attempt to serve the call
 * until its commit, so a timeout, CLIENT UNBLOCK and a disconnect see the call either blocked or answered.
 */
public final class Waiter {
    /** What a key takes for which a call waits, beside its bytes: its queue in {@code Waiting}, if this is the first call. */
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

    private Waiter(Call call, List<Bytes> keys, Type type, long timeoutMillis, Reply otherwise) {
        this.session = call.session();
        this.command = call.command();
        this.database = session.database();
        // Copies: a blocked call must not keep whole network chunks alive. One of each word, for a call may have many
        // keys.
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
     * For one of the keys to hold a collection of the type.
     *
     * @param timeoutMillis zero for as long as it takes
     * @param otherwise the answer when the time is over, and, if nothing else is said, inside MULTI, where nothing blocks
     */
    public static Waiter of(Call call, List<Bytes> keys, Type type, long timeoutMillis, Reply otherwise) {
        return new Waiter(call, keys, type, timeoutMillis, otherwise);
    }

    /** The reply of a call that waits for one of the keys to hold a collection of the type. */
    public static Reply forKeys(Call call, List<Bytes> keys, Type type, long timeoutMillis, Reply otherwise) {
        return of(call, keys, type, timeoutMillis, otherwise).reply();
    }

    /** For the time alone. */
    public static Reply forTime(Call call, long timeoutMillis, Reply otherwise) {
        // With no key, no type will ever be compared.
        return forKeys(call, List.of(), Type.STRING, timeoutMillis, otherwise);
    }

    /** Runs with these words instead of its own: XREAD's {@code $} means the last id when it was called. */
    public Waiter runAs(List<Bytes> other) {
        Bytes[] own = words;
        words = new Bytes[other.size()];
        for (int i = 0; i < words.length; i++) {
            Bytes word = other.get(i);
            words[i] = i < own.length && own[i].equals(word) ? own[i] : word.copy();
        }
        return this;
    }

    /** Runs again also when a key is removed or comes to hold another type: XREADGROUP then answers an error. */
    public Waiter orGone() {
        orGone = true;
        return this;
    }

    /** Answers this inside MULTI, where nothing blocks: BLMOVE then tells that there is no element, not no array. */
    public Waiter inTransaction(Reply answer) {
        inTransaction = answer;
        return this;
    }

    /** What is answered inside MULTI. */
    public Reply inTransaction() {
        return inTransaction;
    }

    public Reply reply() {
        return new Reply.Blocked(this);
    }

    /** The keys among the words, each once, in their order. */
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

    /** The words to run, which nobody changes. */
    public Bytes[] words() {
        return words;
    }

    public int database() {
        return database;
    }

    /** The keys it waits for. */
    public List<Bytes> keys() {
        return keys;
    }

    /** What its waiting takes of memory, about, beside the words, which count as sent by the client. */
    public long heldBytes() {
        return (long) AWAITED_KEY_BYTES * keys.size();
    }

    /** All keys its call may read or write, the destination of BLMOVE included: their stripes are held while it runs. */
    public List<Bytes> touched() {
        return touched;
    }

    public Type type() {
        return type;
    }

    public boolean runsWhenGone() {
        return orGone;
    }

    /** Zero for as long as it takes. */
    public long timeoutMillis() {
        return timeoutMillis;
    }

    /** What is answered when the time is over. */
    public Reply otherwise() {
        return otherwise;
    }

    /** Its place among all waiters: who came earlier has a smaller number. */
    public long arrival() {
        return arrival;
    }

    public void arrival(long number) {
        arrival = number;
    }

    /** Takes its lock; false, and nothing is taken, when the call is already answered or its client gone. */
    public boolean claim() {
        lock.lock();
        if (over) {
            lock.unlock();
            return false;
        }
        return true;
    }

    /** Whether this thread has its lock: then it has been served in the present unit of work. */
    public boolean isClaimed() {
        return lock.isHeldByCurrentThread();
    }

    /** Nobody will run it again. Its lock is held. */
    public void end() {
        over = true;
    }

    /** Lets its lock go. */
    public void release() {
        lock.unlock();
    }

    @Override
    public String toString() {
        return command + " " + Arrays.toString(words);
    }
}
