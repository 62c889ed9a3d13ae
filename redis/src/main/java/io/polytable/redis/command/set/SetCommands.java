package io.polytable.redis.command.set;

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
import io.polytable.redis.command.keyspace.ScanOptions;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.row.Page;
import io.polytable.redis.model.row.RingRow;
import io.polytable.redis.model.set.RandomMembers;
import io.polytable.redis.model.set.Sets;
import io.polytable.table.Bytes;
import java.util.List;

/** Sets by their members, implemented in {@link Sets}; algebra is a family of its own. */
public final class SetCommands implements CommandFamily {
    private static final String ANY_OUTPUT = "nondeterministic_output";
    private static final String ANY_ORDER = "nondeterministic_output_order";
    private static final KeySpecs POPPED = FIRST.as(RW, ACCESS, DELETE);
    private static final KeySpecs FROM_AND_TO =
            POPPED.and(KeySpecs.range(2, 2, 1).as(RW, INSERT));

    private final Sets sets;
    private final RandomMembers randomMembers;

    public SetCommands(Sets sets, RandomMembers randomMembers) {
        this.sets = sets;
        this.randomMembers = randomMembers;
    }

    @Override
    public Group group() {
        return Group.SET;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                writes("sadd", atLeast(3), FIRST.as(RW, INSERT), this::sAdd).with(DENYOOM, FAST),
                reads("scard", exactly(2), FIRST.as(RO), this::sCard).with(FAST),
                reads("sismember", exactly(3), FIRST.as(RO), this::sIsMember).with(FAST),
                reads("smembers", exactly(2), FIRST, this::sMembers).tips(ANY_ORDER),
                reads("smismember", atLeast(3), FIRST, this::sMIsMember).with(FAST),
                writes("smove", exactly(4), FROM_AND_TO, this::sMove).with(FAST),
                writes("spop", atLeast(2), POPPED, this::sPop).with(FAST).tips(ANY_OUTPUT),
                reads("srandmember", atLeast(2), FIRST, this::sRandMember).tips(ANY_OUTPUT),
                writes("srem", atLeast(3), FIRST.as(RW, DELETE), this::sRem).with(FAST),
                reads("sscan", atLeast(3), FIRST, this::sScan).tips(ANY_OUTPUT));
    }

    private Reply sAdd(Call call) {
        return Reply.of(sets.add(call.space(), call.key(1), call.wordsFrom(2)));
    }

    private Reply sRem(Call call) {
        return Reply.of(sets.remove(call.space(), call.key(1), call.wordsFrom(2)));
    }

    private Reply sMove(Call call) {
        return Reply.of(sets.move(call.space(), call.key(1), call.key(2), call.word(3)));
    }

    private Reply sCard(Call call) {
        return Reply.of(sets.size(call.space(), call.key(1)));
    }

    private Reply sIsMember(Call call) {
        return Reply.of(sets.contains(call.space(), call.key(1), call.word(2)));
    }

    private Reply sMIsMember(Call call) {
        return Reply.many(sets.containsEach(call.space(), call.key(1), call.wordsFrom(2)).stream()
                .map(Reply::of)
                .toList());
    }

    private Reply sMembers(Call call) {
        return Reply.setOf(sets.members(call.space(), call.key(1)));
    }

    private Reply sPop(Call call) {
        if (call.size() > 3) {
            throw RedisError.SYNTAX;
        }
        if (call.size() == 2) {
            List<Bytes> taken = randomMembers.pop(call.space(), call.key(1), 1);
            return taken.isEmpty() ? Reply.ABSENT : Reply.of(taken.get(0));
        }
        long count = call.integer(2, RedisError.NOT_POSITIVE);
        if (count < 0) {
            throw RedisError.NOT_POSITIVE;
        }
        return Reply.setOf(randomMembers.pop(call.space(), call.key(1), count));
    }

    private Reply sRandMember(Call call) {
        if (call.size() > 3) {
            throw RedisError.SYNTAX;
        }
        if (call.size() == 2) {
            return Reply.of(randomMembers.one(call.space(), call.key(1)));
        }
        long count = call.integer(2);
        if (count == Long.MIN_VALUE) {
            throw new RedisError(
                    "value is out of range, value must between -" + Long.MAX_VALUE + " and " + Long.MAX_VALUE);
        }
        List<Bytes> picked = count >= 0
                ? randomMembers.distinct(call.space(), call.key(1), count)
                : randomMembers.repeating(call.space(), call.key(1), -count);
        return Reply.bulks(picked);
    }

    private Reply sScan(Call call) {
        long cursor = ScanOptions.cursor(call, 2);
        if (sets.size(call.space(), call.key(1)) == 0) {
            return Reply.many(Reply.of("0"), Reply.EMPTY);
        }
        ScanOptions options = ScanOptions.ofElements(call, 3);
        Page page = sets.scan(call.space(), call.key(1), cursor, options.count());
        List<Bytes> members = page.rows().stream()
                .map(RingRow::sub)
                .filter(options.match()::matches)
                .toList();
        return Reply.many(Reply.of(Long.toUnsignedString(page.cursor())), Reply.bulks(members));
    }
}
