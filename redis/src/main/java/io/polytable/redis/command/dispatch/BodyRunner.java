package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs bodies: where every command passes, alone, in a transaction, or served while it was blocked. */
final class BodyRunner {
    private static final Logger LOG = LoggerFactory.getLogger(BodyRunner.class);

    private final UnitOfWork unit;

    BodyRunner(UnitOfWork unit) {
        this.unit = unit;
    }

    /**
     * Runs the body.
     *
     * <p>A value or a list that the heap cannot hold is this client's trouble alone: nothing of it was committed. Only where
     * the process is not told to end at such an error, as the launcher tells it; and where direct memory is used up.
     *
     * @throws RedisError when the command refuses
     */
    Reply run(Call call) {
        Command command = call.command();
        try {
            return command.body().run(call);
        } catch (OutOfMemoryError full) {
            LOG.warn("{} needs more memory than there is", command);
            throw CommandErrors.NO_MEMORY;
        }
    }

    /**
     * Runs the body as a part of a unit that others write to as well: what it wrote is undone when it fails or blocks.
     *
     * @throws StoreException when the store fails; then the whole unit has
     */
    Reply runWithin(Call call) {
        call.join();
        Command command = call.command();
        unit.continueAs(command.writes());
        UnitOfWork.Savepoint before = unit.savepoint();
        int rows = unit.writes().changes();
        long readBytes = unit.readBytes();
        int changes = call.session().changes();
        Reply reply = tryToRun(call);
        if (!command.writes() && unit.writes().changes() != rows) {
            reply = mistake(command, new IllegalStateException("declared as reading, but wrote rows"));
        }
        Reply refusal = refusal(reply, readBytes);
        if (refusal != null) {
            reply = refusal;
            misleadIfChanged(call.session(), changes);
        }
        if (reply instanceof Reply.Failure || reply instanceof Reply.Blocked) {
            unit.rollBackTo(before);
            unit.forgetReads(readBytes);
        }
        return reply;
    }

    /** Others' replies wait with it until the unit ends: what was not read from the store, and so counted, is now. */
    private @Nullable Reply refusal(Reply reply, long readBytes) {
        long bytes = ReplySize.of(reply);
        if (bytes <= ReplySize.SMALL_BYTES) {
            // Less than the queued command took.
            return null;
        }
        try {
            unit.keepsReply(bytes, readBytes);
            return null;
        } catch (RedisError full) {
            return Reply.error(full);
        }
    }

    /** What a command did to its client is never undone, and an error says that nothing happened. */
    static void misleadIfChanged(Session session, int changesBefore) {
        if (session.changes() != changesBefore) {
            session.mislead();
        }
    }

    private Reply tryToRun(Call call) {
        try {
            return run(call);
        } catch (RedisError refused) {
            return Reply.error(refused);
        } catch (StoreException failed) {
            throw failed;
        } catch (RuntimeException | StackOverflowError mistake) {
            return mistake(call.command(), mistake);
        }
    }

    /** Our own mistake: logged with its trace, answered as one. */
    static Reply mistake(Command command, Throwable mistake) {
        LOG.error("{} failed", command, mistake);
        return Reply.error(CommandErrors.INTERNAL);
    }
}
