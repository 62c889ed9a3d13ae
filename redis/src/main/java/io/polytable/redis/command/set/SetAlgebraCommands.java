package io.polytable.redis.command.set;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.OW;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeyFlag.UPDATE;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.set.SetOperands;
import io.polytable.redis.model.set.Sets;
import io.polytable.table.Bytes;
import java.util.List;

/** Set algebra: unions, intersections, differences, returned or stored. */
public final class SetAlgebraCommands implements CommandFamily {
    private static final String ANY_ORDER = "nondeterministic_output_order";
    private static final KeySpecs SOURCES = KeySpecs.range(1, -1, 1);
    private static final KeySpecs LATER_SOURCES = KeySpecs.range(2, -1, 1).as(RO, ACCESS);
    private static final KeySpecs TARGET_AND_SOURCES = FIRST.as(OW, UPDATE).and(LATER_SOURCES);

    private static final KeyEvent SUNIONSTORE = Sets.event("sunionstore");
    private static final KeyEvent SINTERSTORE = Sets.event("sinterstore");
    private static final KeyEvent SDIFFSTORE = Sets.event("sdiffstore");

    private final Sets sets;

    public SetAlgebraCommands(Sets sets) {
        this.sets = sets;
    }

    @Override
    public Group group() {
        return Group.SET;
    }

    @Override
    public List<Command> commands() {
        // Redis declares the target of SINTERSTORE as RW, unlike the others.
        KeySpecs readTarget = FIRST.as(RW, UPDATE).and(LATER_SOURCES);
        return List.of(
                reads(
                                "sdiff",
                                atLeast(2),
                                SOURCES,
                                call -> Reply.setOf(sources(call, 1).difference()))
                        .tips(ANY_ORDER),
                writes("sdiffstore", atLeast(3), TARGET_AND_SOURCES, this::sDiffStore)
                        .with(DENYOOM),
                reads(
                                "sinter",
                                atLeast(2),
                                SOURCES,
                                call -> Reply.setOf(sources(call, 1).intersection()))
                        .tips(ANY_ORDER),
                reads("sintercard", atLeast(3), KeySpecs.counted(1), this::sInterCard),
                writes("sinterstore", atLeast(3), readTarget, this::sInterStore).with(DENYOOM),
                reads(
                                "sunion",
                                atLeast(2),
                                SOURCES,
                                call -> Reply.setOf(sources(call, 1).union()))
                        .tips(ANY_ORDER),
                writes("sunionstore", atLeast(3), TARGET_AND_SOURCES, this::sUnionStore)
                        .with(DENYOOM));
    }

    private static SetOperands sources(Call call, int from) {
        return SetOperands.of(call.space(), call.wordsFrom(from));
    }

    private Reply sDiffStore(Call call) {
        return store(call, sources(call, 2).difference(), SDIFFSTORE);
    }

    private Reply sInterStore(Call call) {
        return store(call, sources(call, 2).intersection(), SINTERSTORE);
    }

    private Reply sUnionStore(Call call) {
        return store(call, sources(call, 2).union(), SUNIONSTORE);
    }

    private Reply store(Call call, List<Bytes> members, KeyEvent event) {
        sets.store(call.space(), call.key(1), members, event);
        return Reply.of(members.size());
    }

    private Reply sInterCard(Call call) {
        long count = number(call, 1, 1, new RedisError("numkeys should be greater than 0"));
        if (count > call.size() - 2) {
            throw new RedisError("Number of keys can't be greater than number of args");
        }
        int end = 2 + (int) count;
        long limit = 0;
        for (int at = end; at < call.size(); at += 2) {
            if (!call.is(at, "limit") || at + 1 == call.size()) {
                throw RedisError.SYNTAX;
            }
            limit = number(call, at + 1, 0, new RedisError("LIMIT can't be negative"));
        }
        List<Bytes> keys = call.wordsFrom(2).subList(0, (int) count);
        return Reply.of(SetOperands.of(call.space(), keys).intersectionSize(limit));
    }

    private static long number(Call call, int at, long min, RedisError otherwise) {
        long number = call.integer(at, otherwise);
        if (number < min) {
            throw otherwise;
        }
        return number;
    }
}
