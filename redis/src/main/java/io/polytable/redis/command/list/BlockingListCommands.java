package io.polytable.redis.command.list;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.BLOCKING;
import static io.polytable.redis.command.Flag.DENYOOM;
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
import io.polytable.redis.model.list.ListEnd;
import io.polytable.redis.model.list.Lists;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.List;
import java.util.function.BiFunction;

/** BLPOP, BRPOP, BLMPOP, BLMOVE, BRPOPLPUSH. */
public final class BlockingListCommands implements CommandFamily {
    private final Lists lists;

    public BlockingListCommands(Lists lists) {
        this.lists = lists;
    }

    @Override
    public Group group() {
        return Group.LIST;
    }

    @Override
    public List<Command> commands() {
        KeySpecs allButLast = KeySpecs.range(1, -2, 1).as(RW, ACCESS, DELETE);
        return List.of(
                writes("blmove", exactly(6), ListMoveCommands.FROM_AND_TO, this::bLMove)
                        .with(DENYOOM, BLOCKING),
                writes("blmpop", atLeast(5), KeySpecs.counted(2).as(RW, ACCESS, DELETE), this::bLMPop)
                        .with(BLOCKING),
                writes("blpop", atLeast(3), allButLast, call -> bPop(call, Direction.FORWARD))
                        .with(BLOCKING),
                writes("brpop", atLeast(3), allButLast, call -> bPop(call, Direction.REVERSE))
                        .with(BLOCKING),
                writes("brpoplpush", exactly(4), ListMoveCommands.FROM_AND_TO, this::bRPopLPush)
                        .with(DENYOOM, BLOCKING));
    }

    private Reply bPop(Call call, Direction from) {
        int last = call.size() - 1;
        long timeoutMillis = Timeouts.seconds(call, last);
        PopOptions options = new PopOptions(call.wordsFrom(1).subList(0, last - 1), from, 1);
        return popOrWait(
                call, options, timeoutMillis, (key, taken) -> Reply.many(Reply.of(key), Reply.of(taken.get(0))));
    }

    private Reply bLMPop(Call call) {
        // Parsed before the timeout: their errors come first.
        PopOptions options = PopOptions.read(call, 2, "left", "right");
        return popOrWait(call, options, Timeouts.seconds(call, 1), ListMoveCommands::taken);
    }

    private Reply popOrWait(
            Call call, PopOptions options, long timeoutMillis, BiFunction<Bytes, List<Bytes>, Reply> shown) {
        for (Bytes key : options.keys()) {
            if (lists.size(call.space(), key) > 0) {
                List<Bytes> taken = lists.pop(call.space(), key, ListEnds.of(options.from()), options.count())
                        .orElseThrow();
                return shown.apply(key, taken);
            }
        }
        return Waiter.forKeys(call, options.keys(), Type.LIST, timeoutMillis, Reply.ABSENT_ARRAY);
    }

    private Reply bLMove(Call call) {
        ListEnd from = ListEnds.read(call, 3);
        ListEnd to = ListEnds.read(call, 4);
        return moveOrWait(call, from, to, Timeouts.seconds(call, 5));
    }

    private Reply bRPopLPush(Call call) {
        return moveOrWait(call, ListEnd.RIGHT, ListEnd.LEFT, Timeouts.seconds(call, 3));
    }

    private Reply moveOrWait(Call call, ListEnd from, ListEnd to, long timeoutMillis) {
        Bytes source = call.key(1);
        if (lists.size(call.space(), source) > 0) {
            return Reply.of(lists.move(call.space(), source, from, call.key(2), to));
        }
        return Waiter.of(call, List.of(source), Type.LIST, timeoutMillis, Reply.ABSENT_ARRAY)
                .inTransaction(Reply.ABSENT)
                .reply();
    }
}
