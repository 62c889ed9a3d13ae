package io.polytable.redis.command.blocking;

import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Category.CONNECTION;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.NOSCRIPT;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.command.replication.Following;
import io.polytable.redis.command.replication.Replication;
import io.polytable.redis.model.RedisError;
import io.polytable.table.TableStore;
import java.util.List;

/**
 * WAIT and WAITAOF. There are no replicas, so waiting for none returns immediately and waiting for some returns after
 * the timeout. The write-ahead log stands for the append-only file; no reply leaves before the writes it reports are in
 * the log.
 */
public final class WaitCommands implements CommandFamily {
    private final TableStore store;
    private final AnswerGate answers;
    private final Replication replication;
    private final Following following;

    public WaitCommands(TableStore store, AnswerGate answers, Replication replication, Following following) {
        this.store = store;
        this.answers = answers;
        this.replication = replication;
        this.following = following;
    }

    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                speaks("wait", exactly(3), this::waitForReplicas)
                        .in(CONNECTION)
                        .apart()
                        .tips("request_policy:all_shards", "response_policy:agg_min"),
                speaks("waitaof", exactly(4), this::waitForLog)
                        .with(NOSCRIPT)
                        .in(CONNECTION)
                        .apart()
                        .tips("request_policy:all_shards", "response_policy:agg_min"));
    }

    private Reply waitForLog(Call call) {
        if (following.isFollowing()) {
            throw new RedisError(
                    "WAITAOF cannot be used with replica instances. Please also note that writes to replicas "
                            + "are just local and are not propagated.");
        }
        long local = call.integer(1);
        if (local < 0 || local > 1) {
            throw new RedisError("value is out of range, value must between 0 and 1");
        }
        long replicas = call.integer(2);
        if (replicas < 0) {
            throw RedisError.NOT_POSITIVE;
        }
        long millis = Timeouts.millis(call, 3);
        Reply synced = Reply.many(Reply.ONE, Reply.ZERO);
        if (replicas > 0) {
            return Waiter.forTime(call, millis, synced);
        }
        store.flush();
        return new Reply.Later(answers.whenSafe(answers.seen(), synced));
    }

    private Reply waitForReplicas(Call call) {
        if (following.isFollowing()) {
            throw new RedisError("WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if "
                    + "a replica is configured to be writable (which is not the default) writes to replicas are just "
                    + "local and are not propagated.");
        }
        long replicas = call.integer(1);
        long millis = Timeouts.millis(call, 2);
        long now = replication.acknowledged(replication.offset());
        if (replicas <= now || call.session().transaction().isOpen()) {
            return Reply.of(now);
        }
        if (replication.replicas().isEmpty()) {
            return Waiter.forTime(call, millis, Reply.ZERO);
        }
        return new Reply.Later(replication.await(replicas, millis).thenApply(Reply::of));
    }
}
