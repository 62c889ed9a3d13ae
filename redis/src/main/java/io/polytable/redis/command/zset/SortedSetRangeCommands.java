package io.polytable.redis.command.zset;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.DELETE;
import static io.polytable.redis.command.KeyFlag.OW;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeyFlag.UPDATE;
import static io.polytable.redis.command.KeySpecs.FIRST;
import static io.polytable.table.Direction.FORWARD;
import static io.polytable.table.Direction.REVERSE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.zset.RangeOptions.By;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.zset.ElementRange;
import io.polytable.redis.model.zset.SortedSets;
import java.util.List;

/** Sorted sets by ranges: counting, reading, storing and removing adjacent elements. */
public final class SortedSetRangeCommands implements CommandFamily {
    private static final KeySpecs SHORTENED = FIRST.as(RW, DELETE);
    private static final KeySpecs TARGET_AND_SOURCE =
            FIRST.as(OW, UPDATE).and(KeySpecs.range(2, 2, 1).as(RO, ACCESS));

    private final SortedSets sets;

    public SortedSetRangeCommands(SortedSets sets) {
        this.sets = sets;
    }

    @Override
    public Group group() {
        return Group.SORTED_SET;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                reads("zcount", exactly(4), FIRST, this::zCount).with(FAST),
                reads("zlexcount", exactly(4), FIRST, this::zLexCount).with(FAST),
                reads("zrange", atLeast(4), FIRST, call -> answer(call, RangeOptions.read(call))),
                reads("zrangebylex", atLeast(4), FIRST, call -> range(call, By.MEMBER, FORWARD)),
                reads("zrangebyscore", atLeast(4), FIRST, call -> range(call, By.SCORE, FORWARD)),
                writes("zrangestore", atLeast(5), TARGET_AND_SOURCE, this::zRangeStore)
                        .with(DENYOOM),
                writes("zremrangebylex", exactly(4), SHORTENED, this::zRemRangeByLex),
                writes("zremrangebyrank", exactly(4), SHORTENED, this::zRemRangeByRank),
                writes("zremrangebyscore", exactly(4), SHORTENED, this::zRemRangeByScore),
                reads("zrevrange", atLeast(4), FIRST, call -> range(call, By.RANK, REVERSE)),
                reads("zrevrangebylex", atLeast(4), FIRST, call -> range(call, By.MEMBER, REVERSE)),
                reads("zrevrangebyscore", atLeast(4), FIRST, call -> range(call, By.SCORE, REVERSE)));
    }

    private Reply zCount(Call call) {
        ElementRange scores = RangeBounds.scores(call, 2, 3);
        return Reply.of(sets.count(call.space(), call.key(1), scores));
    }

    private Reply zLexCount(Call call) {
        ElementRange members = RangeBounds.members(call, 2, 3);
        return Reply.of(sets.count(call.space(), call.key(1), members));
    }

    private Reply range(Call call, By by, io.polytable.table.Direction direction) {
        return answer(call, RangeOptions.read(call, by, direction));
    }

    private Reply answer(Call call, RangeOptions.Asked asked) {
        List<Element> elements = sets.select(call.space(), call.key(1), asked.selection());
        return ElementReplies.of(call, elements, asked.withScores());
    }

    private Reply zRangeStore(Call call) {
        RangeOptions.Asked asked = RangeOptions.readStore(call);
        return Reply.of(sets.copy(call.space(), call.key(2), asked.selection(), call.key(1)));
    }

    private Reply zRemRangeByLex(Call call) {
        return remove(call, RangeBounds.members(call, 2, 3));
    }

    private Reply zRemRangeByRank(Call call) {
        return remove(call, RangeBounds.ranks(call, 2, 3));
    }

    private Reply zRemRangeByScore(Call call) {
        return remove(call, RangeBounds.scores(call, 2, 3));
    }

    private Reply remove(Call call, ElementRange range) {
        return Reply.of(sets.removeRange(call.space(), call.key(1), range));
    }
}
