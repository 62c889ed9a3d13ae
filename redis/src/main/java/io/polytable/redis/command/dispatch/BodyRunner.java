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

/** Runs the bodies of commands: standalone, inside a transaction, or blocked and served by a write. */
final class BodyRunner {
    private static final Logger LOG = LoggerFactory.getLogger(BodyRunner.class);

    private final UnitOfWork unit;

    BodyRunner(UnitOfWork unit) {
        this.unit = unit;
    }

    /**
     * Runs the body.
     *
     * <p>An allocation that the heap or direct memory cannot satisfy fails this call alone: nothing of it was
     * committed. Heap exhaustion gets here only if the JVM does not exit on it, as the launcher does.
     *
     * @throws RedisError when the command fails
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
     * Runs the body inside a unit of work shared with others, and rolls it back to a savepoint when it fails or blocks.
     *
     * @throws StoreException when the store fails; the whole unit then fails
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
            markOutOfSyncIfChanged(call.session(), changes);
        }
        if (reply instanceof Reply.Failure || reply instanceof Reply.Blocked) {
            unit.rollBackTo(before);
            unit.forgetReads(readBytes);
        }
        return reply;
    }

    /**
     * Counts the reply, which is held until the unit ends, against the read budget, as far as its reads are not counted
     * already. Returns the error when there is no space.
     */
    private @Nullable Reply refusal(Reply reply, long readBytes) {
        long bytes = ReplySize.of(reply);
        if (bytes <= ReplySize.SMALL_BYTES) {
            // Smaller than the queued command itself.
            return null;
        }
        try {
            unit.keepsReply(bytes, readBytes);
            return null;
        } catch (RedisError full) {
            return Reply.error(full);
        }
    }

    /** Changes of the session are not rolled back. If one happened, an error reply would claim the opposite. */
    static void markOutOfSyncIfChanged(Session session, int changesBefore) {
        if (session.changes() != changesBefore) {
            session.markOutOfSync();
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

    /** Logs an internal error with its stack trace, and answers it. */
    static Reply mistake(Command command, Throwable mistake) {
        LOG.error("{} failed", command, mistake);
        return Reply.error(CommandErrors.INTERNAL);
    }
}
