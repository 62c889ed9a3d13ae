package io.polytable.redis.command.list;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.DELETE;
import static io.polytable.redis.command.KeyFlag.INSERT;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.list.ListEnd;
import io.polytable.redis.model.list.Lists;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/** Commands on one list, implemented in {@link Lists}. */
public final class ListCommands implements CommandFamily {
    private static final KeySpecs PUSHED = FIRST.as(RW, INSERT);
    private static final KeySpecs POPPED = FIRST.as(RW, ACCESS, DELETE);
    private static final KeySpecs SHORTENED = FIRST.as(RW, DELETE);

    private final Lists lists;

    public ListCommands(Lists lists) {
        this.lists = lists;
    }

    @Override
    public Group group() {
        return Group.LIST;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                reads("lindex", exactly(3), FIRST, this::lIndex),
                writes("linsert", exactly(5), PUSHED, this::lInsert).with(DENYOOM),
                reads("llen", exactly(2), FIRST.as(RO), this::lLen).with(FAST),
                writes("lpop", atLeast(2), POPPED, call -> pop(call, ListEnd.LEFT))
                        .with(FAST),
                reads("lpos", atLeast(3), FIRST, this::lPos),
                writes("lpush", atLeast(3), PUSHED, call -> push(call, ListEnd.LEFT))
                        .with(DENYOOM, FAST),
                writes("lpushx", atLeast(3), PUSHED, call -> pushX(call, ListEnd.LEFT))
                        .with(DENYOOM, FAST),
                reads("lrange", exactly(4), FIRST, this::lRange),
                writes("lrem", exactly(4), SHORTENED, this::lRem),
                writes("lset", exactly(4), FIRST, this::lSet).with(DENYOOM),
                writes("ltrim", exactly(4), SHORTENED, this::lTrim),
                writes("rpop", atLeast(2), POPPED, call -> pop(call, ListEnd.RIGHT))
                        .with(FAST),
                writes("rpush", atLeast(3), PUSHED, call -> push(call, ListEnd.RIGHT))
                        .with(DENYOOM, FAST),
                writes("rpushx", atLeast(3), PUSHED, call -> pushX(call, ListEnd.RIGHT))
                        .with(DENYOOM, FAST));
    }

    private Reply push(Call call, ListEnd end) {
        return Reply.of(lists.push(call.space(), call.key(1), end, call.wordsFrom(2)));
    }

    private Reply pushX(Call call, ListEnd end) {
        return Reply.of(lists.pushIfPresent(call.space(), call.key(1), end, call.wordsFrom(2)));
    }

    private Reply pop(Call call, ListEnd end) {
        if (call.size() > 3) {
            throw RedisError.wrongArity(call.command().name());
        }
        if (call.size() == 2) {
            return Reply.of(lists.pop(call.space(), call.key(1), end, 1).map(taken -> taken.get(0)));
        }
        long count = call.integer(2, RedisError.NOT_POSITIVE);
        if (count < 0) {
            throw RedisError.NOT_POSITIVE;
        }
        Optional<List<Bytes>> taken = lists.pop(call.space(), call.key(1), end, count);
        return taken.map(Reply::bulks).orElse(Reply.ABSENT_ARRAY);
    }

    private Reply lLen(Call call) {
        return Reply.of(lists.size(call.space(), call.key(1)));
    }

    private Reply lIndex(Call call) {
        // As in Redis, the index is not parsed if the list does not exist.
        return lists.size(call.space(), call.key(1)) == 0
                ? Reply.ABSENT
                : Reply.of(lists.get(call.space(), call.key(1), call.integer(2)));
    }

    private Reply lSet(Call call) {
        if (lists.size(call.space(), call.key(1)) == 0) {
            throw RedisError.NO_SUCH_KEY;
        }
        lists.set(call.space(), call.key(1), call.integer(2), call.word(3));
        return Reply.OK;
    }

    private Reply lRange(Call call) {
        long start = call.integer(2);
        long stop = call.integer(3);
        return Reply.bulks(lists.range(call.space(), call.key(1), start, stop));
    }

    private Reply lTrim(Call call) {
        long start = call.integer(2);
        long stop = call.integer(3);
        lists.trim(call.space(), call.key(1), start, stop);
        return Reply.OK;
    }

    private Reply lInsert(Call call) {
        boolean before = call.is(2, "before");
        if (!before && !call.is(2, "after")) {
            throw RedisError.SYNTAX;
        }
        return Reply.of(lists.insert(call.space(), call.key(1), before, call.word(3), call.word(4)));
    }

    private Reply lRem(Call call) {
        return Reply.of(lists.remove(call.space(), call.key(1), call.integer(2), call.word(3)));
    }

    private Reply lPos(Call call) {
        LPosOptions options = LPosOptions.read(call, 3);
        List<Long> found = lists.positions(call.space(), call.key(1), call.word(2), options.search());
        if (options.many()) {
            return Reply.many(found.stream().map(Reply::of).toList());
        }
        return found.isEmpty() ? Reply.ABSENT : Reply.of(found.get(0));
    }
}
