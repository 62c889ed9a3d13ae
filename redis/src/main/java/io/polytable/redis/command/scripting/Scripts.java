package io.polytable.redis.command.scripting;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.lua.LuaCode;
import io.polytable.redis.command.lua.LuaLimits;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.table.Bytes;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The server's cached scripts, its functions, and the script that runs outside the event loops. Thread safe. */
public final class Scripts {
    private static final int OVERHEAD_BYTES = 512;

    private final Budget texts;
    private final Functions functions;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Bytes, Script> byBody = new LinkedHashMap<>();
    private final Map<String, Script> bySha = new HashMap<>();
    private final AtomicInteger epoch = new AtomicInteger();
    private final AtomicReference<@Nullable RunningScript> running = new AtomicReference<>();

    /**
     * Starts with no scripts.
     *
     * @param texts for the texts of cached scripts; beyond it, the oldest are forgotten
     * @param loading the bounds of libraries while they load
     * @param memory for the states that load them
     */
    public Scripts(Budget texts, LuaLimits loading, Budget memory) {
        this.texts = texts;
        this.functions = new Functions(this::nextId, loading, memory);
    }

    private long nextId() {
        return ids.addAndGet(LuaCode.NUMBERS);
    }

    public Functions functions() {
        return functions;
    }

    /**
     * The script of this text, cached from now on.
     *
     * @throws RedisError when its first line is invalid
     */
    public synchronized Script intern(Bytes body) {
        Script known = byBody.get(body);
        if (known != null) {
            return known;
        }
        Bytes own = body.copy();
        Script script = new Script(nextId(), own);
        makeSpace(bytesOf(own));
        byBody.put(own, script);
        bySha.put(script.sha(), script);
        return script;
    }

    /** A script and its text, which the cache and the script share. */
    private static long bytesOf(Bytes body) {
        return (long) body.length() + OVERHEAD_BYTES;
    }

    private void makeSpace(long bytes) {
        Iterator<Map.Entry<Bytes, Script>> oldest = byBody.entrySet().iterator();
        while (!texts.tryTake(bytes)) {
            if (!oldest.hasNext()) {
                throw new RedisError(Code.OOM, "there is no space for the script");
            }
            Map.Entry<Bytes, Script> entry = oldest.next();
            texts.release(bytesOf(entry.getKey()));
            bySha.remove(entry.getValue().sha());
            oldest.remove();
        }
    }

    /** The script of this text if it is cached. */
    public synchronized @Nullable Script known(Bytes body) {
        return byBody.get(body);
    }

    /** Forgets a script that does not compile. */
    public synchronized void forget(Bytes body) {
        Script gone = byBody.remove(body);
        if (gone != null) {
            bySha.remove(gone.sha());
            texts.release(bytesOf(body));
        }
    }

    public synchronized @Nullable Script find(String sha) {
        Script exact = bySha.get(sha);
        return exact == null ? bySha.get(sha.toLowerCase(Locale.ROOT)) : exact;
    }

    public synchronized void flush() {
        byBody.keySet().forEach(body -> texts.release(bytesOf(body)));
        byBody.clear();
        bySha.clear();
        epoch.incrementAndGet();
    }

    /** The texts of the cached scripts, and what they take besides. */
    public long bytes() {
        return texts.heldBytes();
    }

    public synchronized int count() {
        return bySha.size();
    }

    /** Changes with each flush: states that have scripts loaded drop them. */
    public int epoch() {
        return epoch.get();
    }

    /** Whether a script runs outside the event loops, which must not wait for its stripes. */
    public boolean isRunning() {
        return running.get() != null;
    }

    /** Registers a script that runs outside the event loops; false when another one does. */
    public boolean begin(RunningScript script) {
        return running.compareAndSet(null, script);
    }

    public void end(RunningScript script) {
        running.compareAndSet(script, null);
    }

    /** What runs, or null. */
    @Nullable
    RunningScript running() {
        return running.get();
    }

    /** The error of other calls while a script runs longer than the threshold, or null. */
    public @Nullable RedisError busy(long thresholdMillis) {
        RunningScript script = running.get();
        return script == null || !script.isLongerThan(thresholdMillis) ? null : busy(script);
    }

    static RedisError busy(RunningScript script) {
        String kill = script.routine().isFunction() ? "FUNCTION KILL" : "SCRIPT KILL";
        return new RedisError(
                Code.BUSY, "Redis is busy running a script. You can only call " + kill + " or SHUTDOWN NOSAVE.");
    }

    /**
     * Ends the running script, or function.
     *
     * @throws RedisError when none runs, or the other of the two, or it has written
     */
    void kill(boolean function) {
        RunningScript script = running.get();
        if (script == null) {
            throw new RedisError(Code.NOTBUSY, "No scripts in execution right now.");
        }
        if (!script.hasWritten() && function != script.routine().isFunction()) {
            throw busy(script);
        }
        if (!script.kill()) {
            throw new RedisError(
                    Code.UNKILLABLE,
                    "Sorry the script already executed write commands against the dataset. You can either wait the "
                            + "script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.");
        }
    }

    /** Ends a script even if it has written: nothing of it is committed. For the end of the server. */
    public void stop() {
        RunningScript script = running.get();
        if (script != null) {
            script.stop();
        }
    }
}
