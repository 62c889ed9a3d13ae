package io.polytable.redis.command.transaction;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ALLOW_BUSY;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.SKIP_SLOWLOG;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Transaction;
import io.polytable.redis.model.RedisError;
import java.util.List;

/** MULTI, EXEC, DISCARD, WATCH, UNWATCH. */
public final class TransactionCommands implements CommandFamily {
    private static final Flag[] QUICK = {NOSCRIPT, LOADING, STALE, FAST, ALLOW_BUSY};

    private final Watches watches;

    public TransactionCommands(Watches watches) {
        this.watches = watches;
    }

    @Override
    public Group group() {
        return Group.TRANSACTIONS;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                speaks("discard", exactly(1), this::discard).with(QUICK).atOnce(),
                speaks("exec", exactly(1), this::exec)
                        .with(NOSCRIPT, LOADING, STALE, SKIP_SLOWLOG)
                        .atOnce()
                        .runningTheQueue(),
                speaks("multi", exactly(1), this::multi).with(QUICK).atOnce(),
                speaks("unwatch", exactly(1), this::unwatch).with(QUICK),
                speaks("watch", atLeast(2), KeySpecs.range(1, -1, 1).as(KeyFlag.RO), this::watch)
                        .with(QUICK)
                        .atOnce());
    }

    private Reply multi(Call call) {
        Transaction transaction = call.session().transaction();
        if (transaction.isOpen()) {
            throw new RedisError("MULTI calls can not be nested");
        }
        transaction.open();
        return Reply.OK;
    }

    /** Without a transaction; the dispatcher runs an open one. */
    private Reply exec(Call call) {
        throw new RedisError("EXEC without MULTI");
    }

    private Reply discard(Call call) {
        Transaction transaction = call.session().transaction();
        if (!transaction.isOpen()) {
            throw new RedisError("DISCARD without MULTI");
        }
        transaction.close();
        watches.forget(call.session());
        return Reply.OK;
    }

    private Reply watch(Call call) {
        if (call.session().transaction().isOpen()) {
            throw new RedisError("WATCH inside MULTI is not allowed");
        }
        watches.watch(call.session(), call.wordsFrom(1), call.nowMillis());
        return Reply.OK;
    }

    private Reply unwatch(Call call) {
        watches.forget(call.session());
        return Reply.OK;
    }
}
