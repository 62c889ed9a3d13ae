package io.polytable.redis.command.scripting;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.table.Bytes;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The server's cached scripts, and the script that runs outside the event loops. Thread safe. */
public final class Scripts {
    /** The text of all cached scripts together; beyond it, the oldest are forgotten. */
    private static final long BYTES_MAX = 64L << 20;

    private static final int OVERHEAD_BYTES = 512;

    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Bytes, Script> byBody = new LinkedHashMap<>();
    private final Map<String, Script> bySha = new HashMap<>();
    private final AtomicInteger epoch = new AtomicInteger();
    private final AtomicReference<@Nullable RunningScript> running = new AtomicReference<>();
    private long bytes;

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
        Script script = new Script(ids.incrementAndGet(), body.copy());
        byBody.put(body.copy(), script);
        bySha.put(script.sha(), script);
        bytes += body.length() + OVERHEAD_BYTES;
        forgetOldest();
        return script;
    }

    private void forgetOldest() {
        Iterator<Map.Entry<Bytes, Script>> oldest = byBody.entrySet().iterator();
        while (bytes > BYTES_MAX && byBody.size() > 1) {
            Map.Entry<Bytes, Script> entry = oldest.next();
            bytes -= entry.getKey().length() + OVERHEAD_BYTES;
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
            bytes -= body.length() + OVERHEAD_BYTES;
        }
    }

    public synchronized @Nullable Script find(String sha) {
        Script exact = bySha.get(sha);
        return exact == null ? bySha.get(sha.toLowerCase(Locale.ROOT)) : exact;
    }

    public synchronized void flush() {
        byBody.clear();
        bySha.clear();
        bytes = 0;
        epoch.incrementAndGet();
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

    /** The error of other calls while a script runs longer than the threshold, or null. */
    public @Nullable RedisError busy(long thresholdMillis) {
        RunningScript script = running.get();
        return script == null || !script.isLongerThan(thresholdMillis)
                ? null
                : new RedisError(
                        Code.BUSY, "Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.");
    }

    /**
     * Ends the running script.
     *
     * @throws RedisError when none runs, or it has written
     */
    public void kill() {
        RunningScript script = running.get();
        if (script == null) {
            throw new RedisError(Code.NOTBUSY, "No scripts in execution right now.");
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
