package io.polytable.redis.command.dispatch;

import io.polytable.frontend.session.FailureLog;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.lua.LuaError;
import io.polytable.redis.command.lua.LuaState.OutOfScriptMemory;
import io.polytable.redis.command.lua.StopScript;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.scripting.Routine;
import io.polytable.redis.command.scripting.RunningScript;
import io.polytable.redis.command.scripting.ScriptCalls;
import io.polytable.redis.command.scripting.ScriptFlag;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a script as one unit of work. It begins with the stripes of the keys it declares, on an event loop. Nothing of it
 * is visible before its commit, so a run that turns out to need more (another key, much time) is abandoned and begun
 * again with all stripes, or on a worker; the script is remembered as such.
 */
// A shared error is safe: it has no stack trace.
@SuppressWarnings("StaticAssignmentOfThrowable")
final class ScriptRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ScriptRunner.class);

    private static final long BUSY_WAIT_NANOS = 1_000_000;

    private static final RedisError DATA_FULL = new RedisError(
            RedisError.Code.OOM,
            "allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'");
    private static final RedisError WRITES =
            new RedisError("Can not execute a script with write flag using *_ro command.");

    private final Node node;
    private final UnitOfWork unit;
    private final KeyLocks locks;
    private final Unblocker unblocker;
    private final ScriptHost host;
    private final ScriptStates states;

    ScriptRunner(
            Node node,
            CommandTable table,
            UnitOfWork unit,
            KeyLocks locks,
            BodyRunner bodies,
            Unblocker unblocker,
            CallTimer timer,
            Listeners listeners,
            AccessGuard guard) {
        this.node = node;
        this.unit = unit;
        this.locks = locks;
        this.unblocker = unblocker;
        this.host = new ScriptHost(node, table, unit, locks, bodies, timer, listeners, guard);
        this.states = new ScriptStates(node);
    }

    /** Whether it is known that the call should run on a worker. */
    boolean isOffLoop(Call call) {
        Routine known = ScriptCalls.known(node.scripts(), unit.libraries(), call);
        return known != null && known.needsWorker();
    }

    /** Runs a script on its own. On a loop it may return {@link Reply#MOVED} or {@link Reply#HELD}. */
    Reply run(Call call, boolean onLoop) {
        Routine script;
        try {
            script = prepared(call);
        } catch (RedisError refused) {
            return Reply.error(refused);
        }
        boolean everything = script.needsEverything();
        RunningScript running = new RunningScript(script, call.wordsFrom(0));
        if (!onLoop) {
            while (!node.scripts().begin(running)) {
                // One at a time, as in Redis.
                LockSupport.parkNanos(BUSY_WAIT_NANOS);
            }
        }
        try {
            while (true) {
                try {
                    return attempt(call, script, terms(call, script, onLoop, everything, running));
                } catch (ScriptHost.NeedsEverything more) {
                    script.markNeedsEverything();
                    everything = true;
                } catch (ScriptHost.NeedsWorker more) {
                    script.markNeedsWorker();
                    return Reply.MOVED;
                } catch (KeyLocks.HeldByScript later) {
                    return Reply.HELD;
                }
            }
        } finally {
            node.scripts().end(running);
        }
    }

    private Reply attempt(Call call, Routine script, ScriptHost.Terms terms) {
        try {
            locks.add(call);
            if (terms.everything()) {
                locks.addEverything();
            }
            if (terms.onLoop()) {
                locks.lock(true, node.scripts()::isRunning);
            } else {
                locks.lock(true);
            }
            unit.begin(call.nowMillis(), true, call.session());
            Reply reply = runText(call, script, terms);
            unblocker.serve(call.nowMillis());
            unit.commit();
            unblocker.committed();
            return reply;
        } catch (StopScript stopped) {
            abandon();
            throw stopped;
        } catch (StoreException failed) {
            abandon();
            FailureLog.report(LOG, "A script", failed.error(), failed);
            return Reply.error(CommandErrors.of(failed));
        } catch (KeyLocks.HeldByScript later) {
            throw later;
        } catch (RuntimeException | Error mistake) {
            abandon();
            return BodyRunner.mistake(call.command(), mistake);
        } finally {
            locks.unlock();
        }
    }

    private void abandon() {
        unit.abandon();
        unblocker.failed();
    }

    /** Runs a script inside EXEC, which has all stripes and runs on a worker. */
    Reply runWithin(Call call) {
        Routine script;
        try {
            script = prepared(call);
        } catch (RedisError refused) {
            return Reply.error(refused);
        }
        unit.continueAs(true);
        UnitOfWork.Savepoint before = unit.savepoint();
        RunningScript running = new RunningScript(script, call.wordsFrom(0));
        boolean registered = node.scripts().begin(running);
        try {
            return runText(call, script, terms(call, script, false, true, running));
        } catch (StopScript stopped) {
            unit.rollBackTo(before);
            return Reply.error(new RedisError(String.valueOf(stopped.getMessage())));
        } finally {
            if (registered) {
                node.scripts().end(running);
            }
        }
    }

    /** A script without flags is stopped at its first command that adds data; one with flags does not begin. */
    private ScriptHost.Terms terms(
            Call call, Routine script, boolean onLoop, boolean everything, RunningScript running) {
        boolean readsOnly = script.has(ScriptFlag.NO_WRITES) || call.command().has(Flag.READONLY);
        boolean mayAddData = script.has(ScriptFlag.ALLOW_OOM) || !node.data().refuses();
        return new ScriptHost.Terms(onLoop, everything, running, readsOnly, mayAddData);
    }

    private Routine prepared(Call call) {
        Routine script = ScriptCalls.resolve(node.scripts(), unit.libraries(), call);
        try {
            states.load(script.code());
        } catch (LuaError invalid) {
            ScriptCalls.forget(node.scripts(), call);
            throw ScriptCalls.doesNotCompile(invalid);
        }
        if (script.hasFlags()
                && !script.has(ScriptFlag.NO_WRITES)
                && call.command().has(Flag.READONLY)) {
            throw WRITES;
        }
        if (script.hasFlags() && !script.has(ScriptFlag.ALLOW_STALE) && node.isStale()) {
            throw CommandErrors.STALE;
        }
        if (script.hasFlags()
                && !script.has(ScriptFlag.NO_WRITES)
                && node.following().isFollowing()) {
            throw CommandErrors.SCRIPT_READ_ONLY;
        }
        if (script.hasFlags()
                && !script.has(ScriptFlag.NO_WRITES)
                && !script.has(ScriptFlag.ALLOW_OOM)
                && node.data().refuses()) {
            throw DATA_FULL;
        }
        return script;
    }

    /** A script that raises keeps what it wrote, as in Redis. */
    private Reply runText(Call call, Routine script, ScriptHost.Terms terms) {
        int keys = ScriptCalls.keyCount(call);
        List<Bytes> words = call.wordsFrom(ScriptCalls.FIRST_KEY);
        // A first attempt may have spoiled the state.
        states.load(script.code());
        host.begin(call, terms);
        try {
            return states.current().run(script.id(), words.subList(0, keys), words.subList(keys, words.size()), host);
        } catch (LuaError raised) {
            String place = raised.place();
            String line = place.isEmpty()
                    ? raised.text()
                    : raised.text() + " script: " + script.label() + ", on " + place + ".";
            return Reply.error(RedisError.ofLine(line));
        } catch (ScriptHost.Killed killed) {
            host.undo();
            return Reply.error(killed.error(script));
        } catch (OutOfScriptMemory full) {
            host.undo();
            return Reply.error(full.error());
        } finally {
            host.end();
            states.tidy();
        }
    }
}
