package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.lua.LuaHost;
import io.polytable.redis.command.lua.StopScript;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.scripting.Routine;
import io.polytable.redis.command.scripting.RunningScript;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the commands that a script calls, within the script's unit of work. */
// Shared errors are safe: they have no stack trace.
@SuppressWarnings("StaticAssignmentOfThrowable")
final class ScriptHost implements LuaHost {
    private static final Logger LOG = LoggerFactory.getLogger("io.polytable.redis.script");

    /** How long a script may hold up an event loop. */
    private static final long LOOP_NANOS_MAX = 5_000_000;

    /** A script of so few calls is short, though the machine may have paused it. */
    private static final int SHORT_CALLS = 16;

    private static final RedisError UNKNOWN = new RedisError("Unknown Redis command called from script");
    private static final RedisError ARITY = new RedisError("Wrong number of args calling Redis command from script");
    private static final RedisError NOT_ALLOWED = new RedisError("This Redis command is not allowed from script");
    private static final RedisError READ_ONLY =
            new RedisError("Write commands are not allowed from read-only scripts.");
    private static final RedisError STALE = new RedisError("Can not execute the command on a stale replica");

    private final Node node;
    private final CommandTable table;
    private final UnitOfWork unit;
    private final KeyLocks locks;
    private final BodyRunner bodies;
    private final CallTimer timer;
    private final Listeners listeners;
    private final AccessGuard guard;
    private final Call inner;
    private final Session own = Session.detached();
    private Session caller = own;
    private @Nullable Terms terms;
    private UnitOfWork.@Nullable Savepoint before;
    private long startNanos;
    private int calls;
    private @Nullable Bytes firstKey;

    /** Where a script runs: on a loop, with all stripes. */
    record Terms(boolean onLoop, boolean everything, RunningScript running, boolean readsOnly, boolean mayAddData) {}

    /** The script needs stripes that it does not hold. */
    static final class NeedsEverything extends StopScript {
        private static final long serialVersionUID = 1L;

        NeedsEverything() {
            super("the script accesses keys that it did not declare");
        }
    }

    /** The script must not continue on an event loop. */
    static final class NeedsWorker extends StopScript {
        private static final long serialVersionUID = 1L;

        NeedsWorker() {
            super("the script takes too long for an event loop");
        }
    }

    /** SCRIPT KILL. */
    static final class Killed extends StopScript {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("Script killed by user with ");
        }

        RedisError error(Routine routine) {
            return new RedisError(getMessage() + (routine.isFunction() ? "FUNCTION" : "SCRIPT") + " KILL... script: "
                    + routine.label() + ", on " + place() + ".");
        }
    }

    ScriptHost(
            Node node,
            CommandTable table,
            UnitOfWork unit,
            KeyLocks locks,
            BodyRunner bodies,
            CallTimer timer,
            Listeners listeners,
            AccessGuard guard) {
        this.node = node;
        this.table = table;
        this.unit = unit;
        this.locks = locks;
        this.bodies = bodies;
        this.timer = timer;
        this.listeners = listeners;
        this.guard = guard;
        this.inner = new Call(unit, table);
    }

    void begin(Call call, Terms itsTerms) {
        caller = call.session();
        terms = itsTerms;
        startNanos = System.nanoTime();
        calls = 0;
        before = unit.savepoint();
        firstKey = null;
        inner.at(call.nowMillis());
        own.actAs(caller.account());
        if (own.database() != caller.database()) {
            own.select(caller.database());
        }
    }

    private Terms terms() {
        Terms current = terms;
        if (current == null) {
            throw new IllegalStateException("no script runs");
        }
        return current;
    }

    void end() {
        before = null;
        terms = null;
        caller = own;
    }

    /** Undoes all writes of the script: one that was ended leaves nothing. */
    void undo() {
        UnitOfWork.Savepoint start = before;
        if (start != null) {
            unit.rollBackTo(start);
        }
    }

    @Override
    public Reply call(Bytes[] words, int protocol) {
        if (own.protocol() != protocol) {
            own.speak(protocol);
        }
        inner.begin(own, words, words.length);
        RedisError refusal = refusal(words);
        if (refusal != null) {
            return Reply.error(refusal);
        }
        try {
            claimWhatItNeeds();
        } catch (RedisError apart) {
            return Reply.error(apart);
        }
        Command command = inner.command();
        long start = System.nanoTime();
        if (++calls > SHORT_CALLS) {
            checkTime(start);
        }
        Reply reply = bodies.runWithin(inner);
        if (reply instanceof Reply.Blocked blocked) {
            reply = blocked.waiter().inTransaction();
        }
        if (reply instanceof Reply.Later || reply instanceof Reply.Pushes || reply instanceof Reply.Counted) {
            return Reply.error(NOT_ALLOWED);
        }
        if (command.writes() && !(reply instanceof Reply.Failure)) {
            terms().running().wrote();
        }
        timer.ranWithin(inner, reply, System.nanoTime() - start);
        listeners.remember(inner, caller, unit.changes());
        listeners.ran(inner, reply);
        return reply;
    }

    private @Nullable RedisError refusal(Bytes[] words) {
        Command command = find(words);
        if (command == null) {
            return UNKNOWN;
        }
        inner.command(command);
        if (!command.arity().allows(words.length) || !command.runs()) {
            return ARITY;
        }
        if (command.has(Flag.NOSCRIPT)) {
            return NOT_ALLOWED;
        }
        RedisError denied = guard.scriptRefusal(inner, caller);
        if (denied != null) {
            return denied;
        }
        if (!command.has(Flag.STALE) && node.isStale()) {
            return STALE;
        }
        if (command.writes() && node.following().isFollowing()) {
            return CommandErrors.READ_ONLY;
        }
        // A script that has written completes: half of its writes would be worse.
        if (command.writes()
                && !terms().running().hasWritten()
                && node.replication().lacksReplicas()) {
            return CommandErrors.NO_REPLICAS;
        }
        if (!terms().mayAddData()
                && command.has(Flag.DENYOOM)
                && !terms().running().hasWritten()) {
            return CommandErrors.NO_MEMORY;
        }
        return terms().readsOnly() && command.writes() ? READ_ONLY : null;
    }

    private @Nullable Command find(Bytes[] words) {
        Command command = table.find(words[0]);
        if (command != null && words.length > 1 && command.isContainer()) {
            return table.findSubcommand(command, words[1]);
        }
        return command;
    }

    private void claimWhatItNeeds() {
        Command command = inner.command();
        boolean immediate = command.has(Flag.PUBSUB) || command.has(Flag.MAY_REPLICATE) || command.has(Flag.ADMIN);
        if (terms().onLoop() && (command.isOffLoop() || immediate)) {
            throw new NeedsWorker();
        }
        if (!terms().everything() && (immediate || command.touchesUnnamedKeys() || !coversKeys())) {
            throw new NeedsEverything();
        }
        if (node.keyspace().partitions() > 1) {
            checkPartition();
        }
    }

    private boolean coversKeys() {
        KeyPositions keys = inner.keyPositions();
        for (int i = 0; i < keys.size(); i++) {
            if (!locks.covers(inner.word(keys.at(i)))) {
                return false;
            }
        }
        return !inner.command().keys().reachFurther(inner);
    }

    private void checkPartition() {
        KeyPositions keys = inner.keyPositions();
        for (int i = 0; i < keys.size(); i++) {
            Bytes key = inner.word(keys.at(i));
            Bytes first = firstKey;
            if (first == null) {
                firstKey = key.copy();
            } else if (node.keyspace().partition(first) != node.keyspace().partition(key)) {
                throw CommandErrors.CROSSSLOT;
            }
        }
    }

    @Override
    public void tick() {
        if (terms().running().isKilled()) {
            throw new Killed();
        }
        checkTime(System.nanoTime());
    }

    private void checkTime(long nowNanos) {
        if (terms().onLoop() && nowNanos - startNanos > LOOP_NANOS_MAX) {
            throw new NeedsWorker();
        }
    }

    @Override
    public void usesCoroutines() {
        if (terms().onLoop()) {
            throw new NeedsWorker();
        }
    }

    @Override
    public void log(int level, String text) {
        switch (level) {
            case 0, 1 -> LOG.debug("{}", text);
            case 2 -> LOG.info("{}", text);
            default -> LOG.warn("{}", text);
        }
    }

    @Override
    public @Nullable String unknown(Bytes[] words) {
        return find(words) == null ? "ERR Invalid command passed to redis.acl_check_cmd()" : null;
    }

    @Override
    public boolean allows(Bytes[] words) {
        Command command = find(words);
        if (command == null) {
            return false;
        }
        inner.begin(own, words, words.length);
        inner.command(command);
        return caller.account().permissions().denial(inner) == null;
    }
}
