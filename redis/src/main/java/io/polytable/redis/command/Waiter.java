package io.polytable.redis.command;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One blocked call: it waits until one of its keys holds a collection of its type, or for its timeout. Without keys it
 * waits for the timeout alone.
 */
public final class Waiter {
    private final Session session;
    private final int database;
    private final List<Bytes> keys;
    private final Type type;
    private final long timeoutMillis;
    private final Reply otherwise;

    // The rest is the room's, under its lock.
    private boolean woken;
    private @Nullable Reply verdict;

    private Waiter(Session session, List<Bytes> keys, Type type, long timeoutMillis, Reply otherwise) {
        this.session = session;
        this.database = session.database();
        this.keys = List.copyOf(keys);
        this.type = type;
        this.timeoutMillis = timeoutMillis;
        this.otherwise = otherwise;
    }

    /**
     * For one of the keys to hold a collection of the type.
     *
     * @param timeoutMillis zero for as long as it takes
     * @param otherwise the answer when the time is over
     */
    public static Reply forKeys(Call call, List<Bytes> keys, Type type, long timeoutMillis, Reply otherwise) {
        return new Reply.Blocked(new Waiter(call.session(), keys, type, timeoutMillis, otherwise));
    }

    /** For the time alone. */
    public static Reply forTime(Call call, long timeoutMillis, Reply otherwise) {
        // With no key, no type will ever be compared.
        return forKeys(call, List.of(), Type.STRING, timeoutMillis, otherwise);
    }

    public Session session() {
        return session;
    }

    public int database() {
        return database;
    }

    public List<Bytes> keys() {
        return keys;
    }

    public Type type() {
        return type;
    }

    /** Zero for as long as it takes. */
    public long timeoutMillis() {
        return timeoutMillis;
    }

    /** What is answered when the time is over. */
    public Reply otherwise() {
        return otherwise;
    }

    public boolean woken() {
        return woken;
    }

    public void woken(boolean now) {
        woken = now;
    }

    @Nullable
    public Reply verdict() {
        return verdict;
    }

    public void verdict(Reply reply) {
        verdict = reply;
    }
}
