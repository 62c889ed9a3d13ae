package io.polytable.redis.command.dispatch;

import io.polytable.frontend.session.FailureLog;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Transaction;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the queue of a transaction as one unit of work. */
// A shared error is safe: it has no stack trace.
@SuppressWarnings("StaticAssignmentOfThrowable")
final class TransactionRunner {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionRunner.class);

    private static final RedisError ABORTED =
            new RedisError(Code.EXECABORT, "Transaction discarded because of previous errors.");

    private final Node node;
    private final UnitOfWork unit;
    private final KeyLocks locks;
    private final BodyRunner bodies;
    private final Unblocker unblocker;
    private final CallTimer timer;
    private final Listeners listeners;
    private final ScriptRunner scripts;
    private final AccessGuard guard;
    private final Call queued;
    private final int partitions;

    TransactionRunner(
            Node node,
            CommandTable table,
            UnitOfWork unit,
            KeyLocks locks,
            BodyRunner bodies,
            Unblocker unblocker,
            CallTimer timer,
            Listeners listeners,
            ScriptRunner scripts,
            AccessGuard guard) {
        this.node = node;
        this.unit = unit;
        this.locks = locks;
        this.bodies = bodies;
        this.unblocker = unblocker;
        this.timer = timer;
        this.listeners = listeners;
        this.scripts = scripts;
        this.guard = guard;
        this.queued = new Call(unit, table);
        this.partitions = node.keyspace().partitions();
    }

    /** The error of an EXEC that was itself rejected. */
    static RedisError abortedBy(RedisError error) {
        String why = error.code() == Code.ERR ? error.text() : error.code() + " " + error.text();
        return new RedisError(Code.EXECABORT, "Transaction discarded because of: " + why);
    }

    /** Runs EXEC of an open transaction, and ends the transaction. */
    Reply run(Session session, long nowMillis) {
        Transaction transaction = session.transaction();
        try {
            if (transaction.isAborted()) {
                return Reply.error(ABORTED);
            }
            return addKeys(transaction, session, nowMillis)
                    ? runHolding(transaction, session, nowMillis)
                    : Reply.error(CommandErrors.CROSSSLOT);
        } finally {
            locks.unlock();
            node.watches().forget(session);
            transaction.close();
        }
    }

    /**
     * Adds the keys of all commands and the watched keys to the locks; false when the commands' keys are in several
     * partitions.
     */
    private boolean addKeys(Transaction transaction, Session session, long nowMillis) {
        queued.at(nowMillis);
        for (Transaction.Queued each : transaction.queued()) {
            each.fill(queued, session);
            locks.add(queued);
        }
        boolean together = partitions == 1 || !locks.areAcross(node.keyspace()::partition);
        transaction.watched().forEach(each -> locks.add(each.key()));
        if (transaction.touchesEverything()) {
            locks.addEverything();
        }
        return together;
    }

    private Reply runHolding(Transaction transaction, Session session, long nowMillis) {
        locks.lock(transaction.writes());
        if (node.watches().isTouched(session, nowMillis)) {
            return Reply.ABSENT_ARRAY;
        }
        node.watches().forget(session);
        int changes = session.changes();
        try {
            unit.begin(nowMillis, transaction.writes(), session);
            Transcript transcript = new Transcript(session);
            for (Transaction.Queued each : transaction.queued()) {
                each.fill(queued, session);
                transcript.add(runQueued());
            }
            if (transaction.writes()) {
                unblocker.serve(nowMillis);
            }
            unit.commit();
            unblocker.committed();
            return transcript.reply();
        } catch (StoreException failed) {
            abandon();
            BodyRunner.markOutOfSyncIfChanged(session, changes);
            FailureLog.report(LOG, "exec", failed.error(), failed);
            return Reply.error(abortedBy(CommandErrors.of(failed)));
        } catch (RuntimeException | Error mistake) {
            abandon();
            BodyRunner.markOutOfSyncIfChanged(session, changes);
            return BodyRunner.mistake(queued.command(), mistake);
        }
    }

    private void abandon() {
        unit.abandon();
        unblocker.failed();
    }

    private Reply runQueued() {
        RedisError denied = guard.queuedRefusal(queued);
        if (denied != null) {
            return Reply.error(denied);
        }
        long start = System.nanoTime();
        Reply reply = queued.command().runsScript() ? scripts.runWithin(queued) : bodies.runWithin(queued);
        if (reply instanceof Reply.Blocked blocked) {
            // Nothing blocks here: it would hold up everyone who needs these stripes.
            reply = blocked.waiter().inTransaction();
        }
        timer.ranWithin(queued, reply, System.nanoTime() - start);
        listeners.remember(queued, unit.changes());
        listeners.ran(queued, reply);
        return reply;
    }
}
