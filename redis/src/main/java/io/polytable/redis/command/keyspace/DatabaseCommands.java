package io.polytable.redis.command.keyspace;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Category.DANGEROUS;
import static io.polytable.redis.command.Category.KEYSPACE;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.FAST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Flushes;
import java.util.List;

/** Commands on whole databases: DBSIZE, FLUSHDB, FLUSHALL, SWAPDB. */
public final class DatabaseCommands implements CommandFamily {
    private static final String[] ALL_SHARDS = {"request_policy:all_shards", "response_policy:all_succeeded"};

    private final Flushes flushes = new Flushes();

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                reads(
                                "dbsize",
                                exactly(1),
                                KeySpecs.NONE,
                                call -> Reply.of(call.space().size()))
                        .with(FAST)
                        .in(KEYSPACE)
                        .countingKeys()
                        .tips("request_policy:all_shards", "response_policy:agg_sum"),
                writes("flushdb", atLeast(1), KeySpecs.NONE, this::flushDb)
                        .in(KEYSPACE, DANGEROUS)
                        .tips(ALL_SHARDS)
                        .exclusive()
                        .offLoop(),
                writes("flushall", atLeast(1), KeySpecs.NONE, this::flushAll)
                        .in(KEYSPACE, DANGEROUS)
                        .tips(ALL_SHARDS)
                        .exclusive()
                        .offLoop(),
                writes("swapdb", exactly(3), KeySpecs.NONE, this::swapDb)
                        .with(FAST)
                        .in(KEYSPACE, DANGEROUS)
                        .exclusive());
    }

    private Reply flushDb(Call call) {
        checkMode(call);
        flushes.flush(call.space());
        return Reply.OK;
    }

    private Reply flushAll(Call call) {
        checkMode(call);
        flushes.flushAll(call.space());
        return Reply.OK;
    }

    /** Both modes do the same: the keys are gone at once, their rows are deleted in the background. */
    private static void checkMode(Call call) {
        boolean named = call.size() == 2 && (call.is(1, "sync") || call.is(1, "async"));
        if (call.size() > 1 && !named) {
            throw RedisError.SYNTAX;
        }
    }

    private Reply swapDb(Call call) {
        int one = DatabaseNumbers.number(call, 1, "invalid first DB index");
        int other = DatabaseNumbers.number(call, 2, "invalid second DB index");
        flushes.swap(call.space(), DatabaseNumbers.existing(call, one), DatabaseNumbers.existing(call, other));
        return Reply.OK;
    }
}
