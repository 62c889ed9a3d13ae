package io.polytable.redis.command.zset;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.OW;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.UPDATE;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.zset.SortedSets;
import java.util.List;

/** Sorted-set algebra: unions, intersections, differences, returned or stored. */
public final class SortedSetAlgebraCommands implements CommandFamily {
    private static final KeySpecs SOURCES = KeySpecs.counted(1);
    private static final KeySpecs TARGET_AND_SOURCES =
            FIRST.as(OW, UPDATE).and(KeySpecs.counted(2).as(RO, ACCESS));

    private static final KeyEvent ZUNIONSTORE = SortedSets.event("zunionstore");
    private static final KeyEvent ZINTERSTORE = SortedSets.event("zinterstore");
    private static final KeyEvent ZDIFFSTORE = SortedSets.event("zdiffstore");

    private final SortedSets sets;

    public SortedSetAlgebraCommands(SortedSets sets) {
        this.sets = sets;
    }

    @Override
    public Group group() {
        return Group.SORTED_SET;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                reads("zdiff", atLeast(3), SOURCES, this::zDiff),
                writes("zdiffstore", atLeast(4), TARGET_AND_SOURCES, this::zDiffStore)
                        .with(DENYOOM),
                reads("zinter", atLeast(3), SOURCES, this::zInter),
                reads("zintercard", atLeast(3), SOURCES, this::zInterCard),
                writes("zinterstore", atLeast(4), TARGET_AND_SOURCES, this::zInterStore)
                        .with(DENYOOM),
                reads("zunion", atLeast(3), SOURCES, this::zUnion),
                writes("zunionstore", atLeast(4), TARGET_AND_SOURCES, this::zUnionStore)
                        .with(DENYOOM));
    }

    private Reply zUnion(Call call) {
        AlgebraArguments arguments = new AlgebraArguments(call, 1).readCombining(true);
        return ElementReplies.of(call, union(arguments), arguments.withScores());
    }

    private Reply zUnionStore(Call call) {
        return store(call, union(new AlgebraArguments(call, 2).readCombining(false)), ZUNIONSTORE);
    }

    private static List<Element> union(AlgebraArguments arguments) {
        return arguments.sets().union(arguments.weights(), arguments.aggregate());
    }

    private Reply zInter(Call call) {
        AlgebraArguments arguments = new AlgebraArguments(call, 1).readCombining(true);
        return ElementReplies.of(call, intersection(arguments), arguments.withScores());
    }

    private Reply zInterStore(Call call) {
        return store(call, intersection(new AlgebraArguments(call, 2).readCombining(false)), ZINTERSTORE);
    }

    private static List<Element> intersection(AlgebraArguments arguments) {
        return arguments.sets().intersection(arguments.weights(), arguments.aggregate());
    }

    private Reply zInterCard(Call call) {
        AlgebraArguments arguments = new AlgebraArguments(call, 1).readCounting();
        return Reply.of(arguments.sets().intersectionSize(arguments.limit()));
    }

    private Reply zDiff(Call call) {
        AlgebraArguments arguments = new AlgebraArguments(call, 1).readPlain(true);
        return ElementReplies.of(call, arguments.sets().difference(), arguments.withScores());
    }

    private Reply zDiffStore(Call call) {
        AlgebraArguments arguments = new AlgebraArguments(call, 2).readPlain(false);
        return store(call, arguments.sets().difference(), ZDIFFSTORE);
    }

    private Reply store(Call call, List<Element> elements, KeyEvent event) {
        sets.store(call.space(), call.key(1), elements, event);
        return Reply.of(elements.size());
    }
}
