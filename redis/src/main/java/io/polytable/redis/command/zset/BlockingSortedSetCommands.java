package io.polytable.redis.command.zset;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.BLOCKING;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.DELETE;
import static io.polytable.redis.command.KeyFlag.RW;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.command.blocking.PopOptions;
import io.polytable.redis.command.blocking.Timeouts;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.List;
import java.util.function.BiFunction;

/** BZPOPMIN, BZPOPMAX, BZMPOP. */
public final class BlockingSortedSetCommands implements CommandFamily {
    private final SortedSets sets;

    public BlockingSortedSetCommands(SortedSets sets) {
        this.sets = sets;
    }

    @Override
    public Group group() {
        return Group.SORTED_SET;
    }

    @Override
    public List<Command> commands() {
        KeySpecs allButLast = KeySpecs.range(1, -2, 1).as(RW, ACCESS, DELETE);
        return List.of(
                writes("bzmpop", atLeast(5), KeySpecs.counted(2).as(RW, ACCESS, DELETE), this::bzMPop)
                        .with(BLOCKING),
                writes("bzpopmax", atLeast(3), allButLast, call -> bzPop(call, Direction.REVERSE))
                        .with(BLOCKING, FAST),
                writes("bzpopmin", atLeast(3), allButLast, call -> bzPop(call, Direction.FORWARD))
                        .with(BLOCKING, FAST));
    }

    private Reply bzPop(Call call, Direction from) {
        int last = call.size() - 1;
        long timeoutMillis = Timeouts.seconds(call, last);
        PopOptions options = new PopOptions(call.wordsFrom(1).subList(0, last - 1), from, 1);
        return popOrWait(call, options, timeoutMillis, BlockingSortedSetCommands::one);
    }

    private static Reply one(Bytes key, List<Element> taken) {
        Element element = taken.get(0);
        return Reply.many(Reply.of(key), Reply.of(element.member()), Reply.of(element.score()));
    }

    private Reply bzMPop(Call call) {
        // Parsed before the timeout: their errors come first.
        PopOptions options = PopOptions.read(call, 2, "min", "max");
        return popOrWait(call, options, Timeouts.seconds(call, 1), ElementReplies::of);
    }

    private Reply popOrWait(
            Call call, PopOptions options, long timeoutMillis, BiFunction<Bytes, List<Element>, Reply> shown) {
        for (Bytes key : options.keys()) {
            if (sets.size(call.space(), key) > 0) {
                List<Element> taken = sets.pop(call.space(), key, options.from(), options.count());
                return shown.apply(key, taken);
            }
        }
        return Waiter.forKeys(call, options.keys(), Type.ZSET, timeoutMillis, Reply.ABSENT_ARRAY);
    }
}
