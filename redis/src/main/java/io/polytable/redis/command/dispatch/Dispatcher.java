package io.polytable.redis.command.dispatch;

import io.polytable.frontend.session.FailureLog;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Transaction;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.command.blocking.Waiting;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Tally;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.TableStore;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs calls: looks the command up, rejects invalid calls, holds the stripes of its keys while the body runs and its
 * unit of work commits, and turns every failure into a reply. Each event loop has its own, with its own call and unit
 * of work, so commands share and allocate nothing; so has each worker thread.
 */
public final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final Node node;
    private final CommandTable table;
    private final TableStore store;
    private final int partitions;
    private final Stripes stripes;
    private final Waiting waiting;
    private final KeyLocks locks;
    private final UnitOfWork unit;
    private final BodyRunner bodies;
    private final Unblocker unblocker;
    private final TransactionRunner transactions;
    private final ScriptRunner scripts;
    private final Call call;
    private final CallTimer watch;
    private final Listeners listeners;
    private final AccessGuard guard;

    /** Whether the calls of this dispatcher hold up an event loop. */
    private boolean onLoop = true;

    public Dispatcher(Node node, CommandTable table, Tally tally) {
        this.node = node;
        this.table = table;
        this.store = node.keyspace().store();
        this.partitions = node.keyspace().partitions();
        this.stripes = store.stripes();
        this.waiting = node.waiting();
        this.locks = new KeyLocks(stripes, waiting);
        this.unit = node.keyspace().newUnit();
        this.call = new Call(unit, table);
        this.watch = new CallTimer(node, tally);
        this.listeners = new Listeners(node);
        this.guard = new AccessGuard(node);
        node.declare(table);
        this.bodies = new BodyRunner(unit);
        this.unblocker = new Unblocker(waiting, unit, table, bodies, watch, listeners, guard, partitions);
        this.scripts = new ScriptRunner(node, table, unit, locks, bodies, unblocker, watch, listeners, guard);
        this.transactions =
                new TransactionRunner(node, table, unit, locks, bodies, unblocker, watch, listeners, scripts, guard);
        tick();
    }

    private Dispatcher(Node node, CommandTable table) {
        this(node, table, node.statistics().newTally(table));
    }

    /** A standalone dispatcher with default settings: for tests and tools. */
    public Dispatcher(CommandTable table, Keyspace keyspace, InstantSource clock) {
        this(new Node(keyspace, new RedisConfig(), clock), table);
    }

    /** The call that this dispatcher reuses; the caller fills it with words. */
    public Call call() {
        return call;
    }

    /** Reads the clock: calls until the next tick see this time. */
    public void tick() {
        call.at(node.clock().millis());
        watch.start();
    }

    /** Runs one call from start to end: the convenient form for callers that are not performance-critical. */
    public Reply run(Session session, Bytes... words) {
        try {
            return runWords(session, words);
        } finally {
            release();
        }
    }

    private Reply runWords(Session session, Bytes... words) {
        tick();
        call.begin(session, words, words.length);
        Reply refusal = refusal();
        if (refusal != null) {
            return refusal;
        }
        onLoop = false;
        try {
            return run();
        } finally {
            onLoop = true;
        }
    }

    /** As {@link #run}, for a reply that another thread writes: its bytes stay in the read budget until then. */
    public Reply runForOther(Session session, Bytes... words) {
        try {
            return new Reply.Counted(runWords(session, words), unit.handOnReads());
        } finally {
            release();
        }
    }

    /** Returns the bytes of the last call to the read budget: its reply was written. */
    public void release() {
        unit.release();
    }

    public Reply run(Session session, String... words) {
        return run(session, Arrays.stream(words).map(Bytes::utf8).toArray(Bytes[]::new));
    }

    /** Looks up the command of the filled call. Returns the error if the call is invalid, or null if it can run. */
    public @Nullable Reply refusal() {
        call.session().wrote(false);
        Command command = table.find(call.word(0));
        if (command == null && CommandErrors.isHttp(call)) {
            call.session().peer().close();
            return new Reply.NoReply();
        }
        if (command == null) {
            return refused(CommandErrors.unknownCommand(call));
        }
        if (call.size() > 1 && command.isContainer()) {
            Command sub = table.findSubcommand(command, call.word(1));
            if (sub == null) {
                return refused(CommandErrors.unknownSubcommand(call));
            }
            command = sub;
        }
        call.command(command);
        RedisError error = objection(command);
        return error == null ? null : rejected(command, error);
    }

    private @Nullable RedisError objection(Command command) {
        Session session = call.session();
        if (!command.arity().allows(call.size()) || !command.runs()) {
            return RedisError.wrongArity(command.fullName());
        }
        if (session.primary().isPresent()) {
            return null;
        }
        if (!session.authenticated() && !command.noAuth() && node.users().isPasswordRequired(session.origin())) {
            return CommandErrors.NOAUTH;
        }
        if (command.has(Flag.NO_MULTI) && session.transaction().isOpen()) {
            return CommandErrors.NOT_IN_MULTI;
        }
        RedisError denied = guard.refusal(call);
        if (denied != null) {
            return denied;
        }
        if (onLoop && node.scripts().isRunning() && !command.has(Flag.ALLOW_BUSY)) {
            RedisError busy = node.scripts().busy(node.settings().busyMillis());
            if (busy != null) {
                return busy;
            }
        }
        RedisError unfit = listeners.refusal(call);
        if (unfit != null) {
            return unfit;
        }
        if (node.data().refuses() && addsData(command, session.transaction())) {
            return CommandErrors.NO_MEMORY;
        }
        RedisError role = node.following().isFollowing() ? replicaObjection(command, session) : null;
        if (role != null) {
            return role;
        }
        boolean writes = (command.writes() && !command.runsScript())
                || (command.runsQueue() && session.transaction().changesKeys());
        if (writes
                && role == null
                && node.replication().lacksReplicas()
                && !node.following().isFollowing()) {
            return CommandErrors.NO_REPLICAS;
        }
        if (session.transaction().isOpen()) {
            return transactionObjection(command, session.transaction());
        }
        return partitions > 1 && isAcrossPartitions(command) ? CommandErrors.CROSSSLOT : null;
    }

    private @Nullable RedisError replicaObjection(Command command, Session session) {
        // Each write of a script is refused alone.
        if ((command.writes() && !command.runsScript())
                || (command.runsQueue() && session.transaction().changesKeys())) {
            return CommandErrors.READ_ONLY;
        }
        if (!command.has(Flag.STALE) && node.isStale()) {
            return CommandErrors.STALE;
        }
        return node.following().isLoading() && !command.has(Flag.LOADING) ? CommandErrors.LOADING : null;
    }

    private static boolean addsData(Command command, Transaction transaction) {
        return command.has(Flag.DENYOOM) || (command.runsQueue() && transaction.addsData());
    }

    private @Nullable RedisError transactionObjection(Command command, Transaction transaction) {
        if (!command.isAtOnce()
                && transaction.queuedBytes() + Transaction.bytesOf(call)
                        > node.settings().queryBytesMax()) {
            return CommandErrors.QUEUE_FULL;
        }
        return partitions > 1 && isAcrossPartitions(command) ? CommandErrors.CROSSSLOT : null;
    }

    /** An error before a command was found. */
    private Reply refused(RedisError error) {
        call.session().transaction().abort();
        return watch.refused(error);
    }

    /** Rejects a call that passed {@link #refusal()}. A rejected EXEC ends its transaction. */
    public Reply rejected(RedisError error) {
        return rejected(call.command(), error);
    }

    private Reply rejected(Command command, RedisError error) {
        Transaction transaction = call.session().transaction();
        if (!command.runsQueue()) {
            transaction.abort();
            return watch.rejected(command, error);
        }
        // As in Redis, even without MULTI.
        transaction.close();
        node.watches().forget(call.session());
        return watch.rejected(command, TransactionRunner.abortedBy(error));
    }

    /** Reads across partitions are rejected too, as in Redis Cluster: they would not be one snapshot. */
    private boolean isAcrossPartitions(Command command) {
        if (command.firstKeyOnly() || command.keys().isEmpty()) {
            return false;
        }
        KeyPositions keys = call.keyPositions();
        for (int i = 1; i < keys.size(); i++) {
            if (node.keyspace().partition(call.word(keys.at(i)))
                    != node.keyspace().partition(call.word(keys.at(0)))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the call must wait for space in the store: back-pressure. */
    public boolean mustWaitForRoom() {
        return writes() && !store.hasRoom();
    }

    /** Whether the call must wait until the eviction has removed more data. */
    public boolean mustWaitForEviction() {
        return node.data().isBehind() && addsData(call.command(), call.session().transaction());
    }

    private boolean writes() {
        Command command = call.command();
        Transaction transaction = call.session().transaction();
        return transaction.isOpen() ? command.runsQueue() && transaction.writes() : command.writes();
    }

    /** How long CLIENT PAUSE holds the call; zero for not at all. */
    public long pausedMillis() {
        return node.pause().holdsMillis(call.command(), call.session(), call.nowMillis());
    }

    /** Whether the call may take long and should run on a worker instead of an event loop. */
    public boolean isOffLoop() {
        Command command = call.command();
        Transaction transaction = call.session().transaction();
        if (transaction.isOpen()) {
            return command.runsQueue() && transaction.isOffLoop();
        }
        return command.isOffLoop()
                || (command.runsScript() && scripts.isOffLoop(call))
                || (command.countsKeys() && !node.keyspace().counts().isReady());
    }

    /** Runs or queues a call that passed {@link #refusal()}. The caller calls {@link #release()} afterwards. */
    public Reply run() {
        Command command = call.command();
        Session session = call.session();
        session.ran(command, call.nowMillis());
        session.wrote(writes());
        if (session.transaction().isOpen() && !command.isAtOnce()) {
            session.transaction().queue(call);
            watch.queued();
            return Reply.QUEUED;
        }
        Reply reply = runNow(command, session);
        if (reply instanceof Reply.NotRun) {
            return reply;
        }
        watch.ran(call, command, reply);
        listeners.ran(call, reply);
        return reply;
    }

    private Reply runNow(Command command, Session session) {
        if (command.runsQueue() && session.transaction().isOpen()) {
            return onLoop && node.scripts().isRunning() ? Reply.HELD : transactions.run(session, call.nowMillis());
        }
        if (command.runsScript()) {
            return scripts.run(call, onLoop);
        }
        try {
            return runLocked(command);
        } catch (KeyLocks.HeldByScript later) {
            return Reply.HELD;
        }
    }

    private Reply runLocked(Command command) {
        if (command.firstKeyOnly()) {
            Reply reply = runOnFirstKey(command);
            return reply == null ? runHolding(command) : reply;
        }
        return command.keys().isEmpty() && !command.isExclusive() ? runBody(command) : runHolding(command);
    }

    /** The fast path for one key. Returns null when a call waits for the key: serving it needs more stripes. */
    private @Nullable Reply runOnFirstKey(Command command) {
        Bytes key = call.word(1);
        int stripe = locks.stripeOf(key);
        if (onLoop) {
            locks.lockOne(stripe, node.scripts()::isRunning);
        } else {
            stripes.lock(stripe);
        }
        try {
            return command.writes() && waiting.isAwaited(key) ? null : runBody(command);
        } finally {
            stripes.unlock(stripe);
        }
    }

    private Reply runHolding(Command command) {
        try {
            locks.add(call);
            if (command.isExclusive() || command.keys().reachFurther(call)) {
                locks.addEverything();
            }
            if (onLoop) {
                locks.lock(command.writes(), node.scripts()::isRunning);
            } else {
                locks.lock(command.writes());
            }
            return runBody(command);
        } finally {
            locks.unlock();
        }
    }

    private Reply runBody(Command command) {
        Reply reply = runUnit(command);
        listeners.remember(call);
        return reply;
    }

    private Reply runUnit(Command command) {
        try {
            Reply reply = bodies.run(call);
            if (call.hasWork()) {
                end(command);
            }
            if (reply instanceof Reply.Blocked blocked) {
                waiting.enter(blocked.waiter());
            }
            return reply;
        } catch (RedisError refused) {
            abandon();
            return Reply.error(refused);
        } catch (StoreException failed) {
            abandon();
            FailureLog.report(LOG, command.fullName(), failed.error(), failed);
            return Reply.error(CommandErrors.of(failed));
        } catch (RuntimeException | Error mistake) {
            abandon();
            return BodyRunner.mistake(command, mistake);
        }
    }

    private void end(Command command) {
        if (command.writes()) {
            unblocker.serve(call.nowMillis());
            unit.commit();
            unblocker.committed();
        } else if (!unit.isEmpty()) {
            throw new IllegalStateException("a command declared as reading wrote rows: " + command);
        }
    }

    private void abandon() {
        unit.abandon();
        unblocker.failed();
    }

    /** Counts a blocked call that ended on its timeout or by CLIENT UNBLOCK, with this reply. */
    public void endedUnserved(Waiter waiter, Reply reply) {
        watch.endedUnserved(waiter.command(), reply);
    }

    /** Runs a blocked call again, in a unit of its own; a reply, if there is one now, goes to its peer. */
    public void retry(Waiter waiter) {
        try {
            waiter.touched().forEach(locks::add);
            locks.lock(true);
            unit.begin(call.nowMillis(), true, waiter.session());
            unblocker.retry(waiter, call.nowMillis());
            unblocker.serve(call.nowMillis());
            unit.commit();
            unblocker.committed();
        } catch (RuntimeException | Error failed) {
            abandon();
            LOG.warn("{} failed when it was retried; it continues to wait", waiter, failed);
        } finally {
            locks.unlock();
            release();
        }
    }
}
