package io.polytable.redis.command;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One blocked call: it waits until one of its keys holds a collection of its type, or for its timeout. Without keys it
 * waits for the timeout alone. It keeps its own copy of the words, to be run again by whoever writes one of the keys.
 *
 * <p>Its lock decides between those who would end it at the same time: a writer holds it from its attempt to serve the call
 * until its commit, so a timeout, CLIENT UNBLOCK and a disconnect see the call either blocked or answered.
 */
public final class Waiter {
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
        this.keys = distinct(keys);
        this.touched = distinct(keysOf(call));
        this.type = type;
        this.timeoutMillis = timeoutMillis;
        this.otherwise = otherwise;
        this.inTransaction = otherwise;
        this.words = new Bytes[0];
    }

    /**
     * For one of the keys to hold a collection of the type.
     *
     * @param timeoutMillis zero for as long as it takes
     * @param otherwise the answer when the time is over, and, if nothing else is said, inside MULTI, where nothing blocks
     */
    public static Waiter of(Call call, List<Bytes> keys, Type type, long timeoutMillis, Reply otherwise) {
        Waiter waiter = new Waiter(call, keys, type, timeoutMillis, otherwise);
        return waiter.runAs(call.wordsFrom(0));
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
        // Copies: a blocked call must not keep whole network chunks alive.
        words = other.stream().map(Bytes::copy).toArray(Bytes[]::new);
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

    private static List<Bytes> keysOf(Call call) {
        KeyPositions positions = call.keyPositions();
        List<Bytes> all = new ArrayList<>(positions.size());
        for (int i = 0; i < positions.size(); i++) {
            all.add(call.word(positions.at(i)));
        }
        return all;
    }

    private static List<Bytes> distinct(List<Bytes> keys) {
        return keys.stream().distinct().map(Bytes::copy).toList();
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
