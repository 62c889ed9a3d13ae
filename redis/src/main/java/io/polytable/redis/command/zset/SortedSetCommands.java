package io.polytable.redis.command.zset;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.DELETE;
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
import io.polytable.redis.command.blocking.PopOptions;
import io.polytable.redis.command.keyspace.ScanOptions;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.DoubleText;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.zset.AddOutcome;
import io.polytable.redis.model.zset.RandomElements;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Sorted sets by their members and ends, implemented in the model; ranges and algebra are families of their own. */
public final class SortedSetCommands implements CommandFamily {
    private static final String ANY_OUTPUT = "nondeterministic_output";
    private static final KeySpecs POPPED = FIRST.as(RW, ACCESS, DELETE);

    private final SortedSets sets;
    private final RandomElements randomElements;

    public SortedSetCommands(SortedSets sets, RandomElements randomElements) {
        this.sets = sets;
        this.randomElements = randomElements;
    }

    @Override
    public Group group() {
        return Group.SORTED_SET;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                writes("zadd", atLeast(4), FIRST.as(RW, UPDATE), this::zAdd).with(DENYOOM, FAST),
                reads("zcard", exactly(2), FIRST.as(RO), this::zCard).with(FAST),
                writes("zincrby", exactly(4), FIRST.as(RW, ACCESS, UPDATE), this::zIncrBy)
                        .with(DENYOOM, FAST),
                writes("zmpop", atLeast(4), KeySpecs.counted(1).as(RW, ACCESS, DELETE), this::zMPop),
                reads("zmscore", atLeast(3), FIRST, this::zMScore).with(FAST),
                writes("zpopmax", atLeast(2), POPPED, call -> pop(call, REVERSE))
                        .with(FAST),
                writes("zpopmin", atLeast(2), POPPED, call -> pop(call, FORWARD))
                        .with(FAST),
                reads("zrandmember", atLeast(2), FIRST, this::zRandMember).tips(ANY_OUTPUT),
                reads("zrank", atLeast(3), FIRST, call -> rank(call, FORWARD)).with(FAST),
                writes("zrem", atLeast(3), FIRST.as(RW, DELETE), this::zRem).with(FAST),
                reads("zrevrank", atLeast(3), FIRST, call -> rank(call, REVERSE))
                        .with(FAST),
                reads("zscan", atLeast(3), FIRST, this::zScan).tips(ANY_OUTPUT),
                reads("zscore", exactly(3), FIRST, this::zScore).with(FAST));
    }

    private Reply zAdd(Call call) {
        ZAddOptions options = ZAddOptions.read(call, false);
        AddOutcome outcome = sets.add(call.space(), call.key(1), options.rules(), options.elements());
        if (options.rules().increment()) {
            return score(outcome.score());
        }
        return Reply.of(outcome.added() + (options.countsUpdates() ? outcome.updated() : 0));
    }

    private Reply zIncrBy(Call call) {
        ZAddOptions options = ZAddOptions.read(call, true);
        return score(sets.add(call.space(), call.key(1), options.rules(), options.elements())
                .score());
    }

    private static Reply score(OptionalDouble score) {
        return score.isPresent() ? Reply.of(score.getAsDouble()) : Reply.ABSENT;
    }

    private Reply zCard(Call call) {
        return Reply.of(sets.size(call.space(), call.key(1)));
    }

    private Reply zScore(Call call) {
        return score(sets.score(call.space(), call.key(1), call.word(2)));
    }

    private Reply zMScore(Call call) {
        List<Reply> scores = new ArrayList<>();
        for (OptionalDouble score : sets.scores(call.space(), call.key(1), call.wordsFrom(2))) {
            scores.add(score(score));
        }
        return Reply.many(scores);
    }

    private Reply zRem(Call call) {
        return Reply.of(sets.remove(call.space(), call.key(1), call.wordsFrom(2)));
    }

    private Reply rank(Call call, Direction direction) {
        if (call.size() > 4) {
            throw RedisError.wrongArity(call.command().fullName());
        }
        boolean withScore = call.size() == 4;
        if (withScore && !call.is(3, "withscore")) {
            throw RedisError.SYNTAX;
        }
        Optional<SortedSets.Ranked> found = sets.rank(call.space(), call.key(1), call.word(2), direction);
        if (found.isEmpty()) {
            return withScore ? Reply.ABSENT_ARRAY : Reply.ABSENT;
        }
        Reply rank = Reply.of(found.get().rank());
        return withScore ? Reply.many(rank, Reply.of(found.get().score())) : rank;
    }

    private Reply pop(Call call, Direction from) {
        if (call.size() > 3) {
            throw RedisError.SYNTAX;
        }
        boolean counted = call.size() == 3;
        long count = counted ? call.integer(2, RedisError.NOT_POSITIVE) : 1;
        if (count < 0) {
            throw RedisError.NOT_POSITIVE;
        }
        List<Element> taken = sets.pop(call.space(), call.key(1), from, count);
        return counted ? ElementReplies.of(call, taken, true) : ElementReplies.flat(taken);
    }

    private Reply zMPop(Call call) {
        PopOptions options = PopOptions.read(call, 1, "min", "max");
        for (Bytes key : options.keys()) {
            List<Element> taken = sets.pop(call.space(), key, options.from(), options.count());
            if (!taken.isEmpty()) {
                return ElementReplies.of(key, taken);
            }
        }
        return Reply.ABSENT_ARRAY;
    }

    private Reply zRandMember(Call call) {
        if (call.size() == 2) {
            Optional<Element> one = randomElements.one(call.space(), call.key(1));
            return one.isPresent() ? Reply.of(one.get().member()) : Reply.ABSENT;
        }
        long count = call.integer(2);
        if (count == Long.MIN_VALUE) {
            throw new RedisError(
                    "value is out of range, value must between -" + Long.MAX_VALUE + " and " + Long.MAX_VALUE);
        }
        boolean withScores = call.size() > 3;
        if (call.size() > 4 || (withScores && !call.is(3, "withscores"))) {
            throw RedisError.SYNTAX;
        }
        if (withScores && Math.abs(count) > Long.MAX_VALUE / 2) {
            throw RedisError.VALUE_OUT_OF_RANGE;
        }
        List<Element> elements = count >= 0
                ? randomElements.distinct(call.space(), call.key(1), count)
                : randomElements.repeating(call.space(), call.key(1), -count);
        return ElementReplies.of(call, elements, withScores);
    }

    private Reply zScan(Call call) {
        long cursor = ScanOptions.cursor(call, 2);
        if (sets.size(call.space(), call.key(1)) == 0) {
            return Reply.many(Reply.of("0"), Reply.EMPTY);
        }
        ScanOptions options = ScanOptions.ofElements(call, 3);
        SortedSets.ElementPage page = sets.scan(call.space(), call.key(1), cursor, options.count());
        List<Reply> items = new ArrayList<>();
        for (Element element : page.elements()) {
            if (options.match().matches(element.member())) {
                items.add(Reply.of(element.member()));
                items.add(Reply.of(scanned(element.score(), page.wide())));
            }
        }
        return Reply.many(Reply.of(Long.toUnsignedString(page.cursor())), Reply.many(items));
    }

    /** As in Redis, ZSCAN formats a score as it is stored (in a listpack), otherwise with 17 digits. */
    private static String scanned(double score, boolean wide) {
        return wide ? DoubleText.seventeenDigits(score) : DoubleText.shortest(score);
    }
}
